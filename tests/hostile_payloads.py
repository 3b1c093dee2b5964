"""Payloads of every kind, with a text wherever a tool could have put it."""

from __future__ import annotations

import base64
from typing import Any

__all__ = ["charts", "few_payloads", "maps", "payload", "payloads"]

Json = dict[str, Any]  # a payload is any JSON

PICTURE = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
"""A picture of one pixel."""
MEDIA = (
    *("text/html", "text/markdown", "text/latex", "image/svg+xml", "image/png", "application/json"),
    *("application/javascript", "application/vnd.jupyter.widget-view+json"),
)
"""Types that a display may have, and that some front ends run."""


def payloads(text: str) -> list[Json]:
    """One of each kind as it should be, and of each kind some that are not."""
    return [
        *(payload("image", one) for one in images(text)),
        *(payload("table", one) for one in tables(text)),
        *(payload("file", one) for one in files(text)),
        *(payload("mime", one) for one in displays(text)),
        *(payload("cut", {"of": of, "note": text, "head": text}) for of in (text, "image", "log")),
        payload("chart", {"spec": {"mark": text, "title": text}, "alt": text, "title": text}),
        *(payload(kind, one) for kind, one in texts(text)),
        *(payload("apiPool", one) for one in pools(text)),
        *(payload(kind, text) for kind in ("image", "mime", "diff")),
        payload("code", {"text": {"dangerouslySetInnerHTML": {"__html": text}}, "code": [text]}),
        payload(text, {text: [text]}),
        payload(text, text, audience="evidence"),
        payload("map", maps(text)[0]),
    ]


def few_payloads(text: str) -> list[Json]:
    """Those in which a text comes closest to markup."""
    return [
        payload("table", tables(text)[0]),
        payload("file", files(text)[0]),
        *(payload("mime", one) for one in displays(text)[:2]),
    ]


def payload(kind: str, value: object, audience: str = "timeline") -> Json:
    """A payload as events carry it."""
    return {"kind": kind, "version": 1, "audience": audience, "value": value}


def pools(text: str) -> list[Json]:
    """Pools of APIs whose names and reasons somebody wrote."""
    api: Json = {"name": text, "category": text, "tool": text, "api": text, "by": text, "round": 1}
    gone: Json = {**api, "why": text}
    pool: Json = {"size": 3, "seed": 1, "round": 1, "apis": [api], "pruned": [gone]}
    return [pool, {**pool, "apis": [text]}, {**pool, "size": text}, {**pool, "pruned": {text: 1}}]


def images(text: str) -> list[Json]:
    """Pictures whose words, type, size or contents somebody wrote."""
    image: Json = {"media_type": "image/png", "data": PICTURE}
    svg = base64.b64encode(text.encode()).decode()
    return [
        {**image, "alt": text, "title": text, "width": text, "height": text},
        {**image, "data": text},
        {**image, "media_type": f"image/png;base64,{text}"},
        {"media_type": "image/svg+xml", "data": svg},
        {"media_type": "image/svg+xml", "data": text},
        {"media_type": "text/html", "data": svg},
    ]


def tables(text: str) -> list[Json]:
    """Tables: names, types, cells, and where their rows come from."""
    table: Json = {"columns": [text, "n"], "dtypes": [text, "int64"], "rows": [[text, 1]]}
    return [
        {**table, "total": 3, "source": text, "title": text, "caption": text},
        {**table, "dtypes": ["index", text], "rows": [[{text: text}, [text]], [None, text]]},
        {**table, "columns": [{"name": text, "dtype": text, "key": text, "href": text}]},
        {"columns": text, "rows": text, "total": text},
    ]


def files(text: str) -> list[Json]:
    """Files: name, type and contents."""
    page = base64.b64encode(b"<script>xss()</script>").decode()
    return [
        {"name": text, "media_type": text, "size": 3, "data": page},
        {"name": "x.html", "media_type": "text/html", "size": 3, "data": page},
        {"name": text, "media_type": text, "size": text, "data": text, "url": text, "href": text},
    ]


def displays(text: str) -> list[Json]:
    """What a tool displayed: of each type alone, and of all together."""
    return [
        *({"data": {media: text}} for media in MEDIA),
        {"data": {"image/svg+xml": text}, "metadata": {"image/svg+xml": {"width": text}}},
        {"data": {"text/html": f"<p>{text}</p><a href='{text}' title=\"{text}\">x</a>"}},
        {"data": {"text/html": text, "text/plain": text}, "metadata": {"isolated": False}},
        {"data": {"text/markdown": [text, "\n", text]}},
        {"data": {"application/json": {text: text}}},
        {"data": {"image/png": PICTURE, "text/plain": text}, "left_out": {text: 5_000_000}},
        {"data": {text: text}, "metadata": text},
        {"data": dict.fromkeys(MEDIA, "x"), "metadata": {text: text}},
    ]


def texts(text: str) -> list[tuple[str, object]]:
    """Kinds that are made of one text."""
    return [
        ("markdown", {"text": text, "markdown": text}),
        ("code", {"code": text, "text": text, "language": text, "name": text, "file": text}),
        ("code", {"code": text, "text": text, "language": "html", "name": "x.html"}),
        ("json", {text: [text, {text: text}]}),
        ("json", {"value": {text: text}}),
        ("log", {"text": text, "lines": [text, {"level": text, "text": text, "at": text}]}),
        ("progress", {"message": text, "label": text, "fraction": 0.5, "value": 1, "total": 2}),
        ("progress", {"message": text, "fraction": text, "total": text, "unit": text}),
        ("diff", {"before": text, "after": f"{text}\nmore", "name": text, "language": text}),
        ("html", {"html": text, "text": text, "title": text, "height": text}),
    ]


def charts(text: str) -> list[Json]:
    """Charts in Vega-Lite, with everything in a specification that is code, address or markup."""
    data = {"values": [{"a": text, "b": 1, "u": text}, {"a": "x", "b": 2, "u": "javascript:xss()"}]}
    x: Json = {"field": "a", "type": "nominal", "title": text, "axis": {"labelExpr": text}}
    y: Json = {"field": "b", "type": "quantitative"}
    bar: Json = {"$schema": text, "description": text, "title": text, "data": data, "mark": "bar"}
    bar["encoding"] = {"x": x, "y": y, "tooltip": {"field": "a"}, "href": {"field": "u"}}
    plain = {"x": {"field": "a", "type": "nominal"}, "y": y}
    href = {**plain, "href": {"field": "u"}, "url": {"field": "u"}, "tooltip": {"field": "a"}}
    base: Json = {"data": data, "encoding": href}
    specs: list[Json] = [
        bar,
        {**base, "mark": {"type": "bar", "tooltip": True, "href": "javascript:xss()"}},
        {**base, "mark": {"type": "image", "url": text, "width": 9, "height": 9}},
        {**base, "mark": {"type": "image", "url": "https://evil.example/chart.png"}},
        {**base, "mark": "text", "title": {"text": text, "subtitle": [text], "font": text}},
        {**base, "mark": "bar", "transform": [{"calculate": text, "as": "c"}, {"filter": text}]},
        {**base, "mark": "bar", "params": [{"name": "p", "expr": text, "bind": {"input": text}}]},
        {
            **base,
            "mark": "bar",
            "params": [
                {"name": "p", "value": text, "bind": {"input": "text", "name": text}},
                {"name": "q", "bind": {"element": text}, "select": "point"},
            ],
        },
        {"data": {"url": f"https://evil.example/{text}"}, "mark": "bar", "encoding": plain},
        {"data": {"url": "data:text/html,x", "format": {"type": text}}, "mark": "bar"},
        {**base, "mark": "bar", "usermeta": {"embedOptions": {"loader": text, "ast": False}}},
        {**base, "mark": "bar", "config": {"background": text, "font": f"url({text})"}},
        {
            "$schema": "https://vega.github.io/schema/vega/v6.json",
            "signals": [{"name": "s", "init": text, "on": [{"events": "click", "update": text}]}],
            "data": [{"name": "d", "url": "https://evil.example/vega.json"}],
            "marks": [{"type": "rect", "encode": {"enter": {"href": {"value": text}}}}],
        },
    ]
    return [*({"spec": one, "alt": text, "title": text} for one in specs), *specs]


def maps(text: str) -> list[Json]:
    """Maps: titles, pins, layers with properties, and where tiles come from."""
    lon, lat = -30, 2  # no coast to draw
    sea = {"center": {"lon": lon, "lat": lat}, "zoom": 9}
    corners = [[lon - 1, lat - 1], [lon + 1, lat - 1], [lon, lat + 1], [lon - 1, lat - 1]]
    said: Json = {text: text, "name": text, "description": text, "popupContent": text, "url": text}
    said |= {"icon": text, "fill": text, "stroke": text, "marker-symbol": text, "html": {"a": text}}
    features = [
        {"type": "Feature", "id": text, "properties": said, "geometry": shape}
        for shape in (
            {"type": "Polygon", "coordinates": [corners]},
            {"type": "Point", "coordinates": [lon + 5, lat]},
        )
    ]
    collection = {"type": "FeatureCollection", "features": features}
    layer = {"name": text, "color": text, "geojson": collection, "id": text, "attribution": text}
    pin = {"lon": lon + 5, "lat": lat, "label": text, "popup": text, "id": text, "color": text}
    tiles = {"url": f"https://evil.example/{text}/{{z}}/{{x}}/{{y}}.png", "attribution": text}
    return [
        {**sea, "title": text, "map_id": text, "pins": [pin], "layers": [layer]},
        {**sea, "layers": [layer], "left_out": [text], "tiles": tiles, "attribution": text},
        {"center": text, "zoom": text, "pins": text, "layers": text, "tiles": text},
        {"layers": [{**layer, "name": {"a": text}, "geojson": text}], "bounds": [text] * 4},
    ]
