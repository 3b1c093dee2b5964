"""How a saved run looks: what every page shows, and a style sheet for those that take one.

An inline style stands only where a run would be hard to read without it, and keeps to what
JupyterLab's sanitizer lets through. The rest is a style sheet, which is a link and no element
of its own: where links are taken away nothing is left of it, while GitHub writes the rules of a
`<style>` into the text. The link holds the rules, so nothing is fetched.

The rules are the live view's, in short; see `js/src/run-view/styles`.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from nbagents.notebook.markup import Html, tag

UNTOUCHED: Final = "nba-frozen tex2jax_ignore mathjax_ignore"
"""Two of these keep MathJax, which reads every output, from taking `$5 or $6` for a formula."""
BOX: Final = "max-width:960px;line-height:1.5;font-family:system-ui,sans-serif"
ROWS: Final = "list-style:none;margin:0;padding:0"
INNER_ROWS: Final = "list-style:none;margin:0;padding:0 0 0 16px"
ENDED: Final = "float:right;padding-left:12px;opacity:0.75;font-size:0.92em"
FALL: Final = "display:block;clear:both;position:relative;height:4px"
BAR: Final = "position:absolute;height:4px"

GREEN, AMBER, RED, GREY = "#2f9158", "#b26b00", "#d64a42", "#7d7d7d"
"""Each at least 3:1 on white and on JupyterLab's dark page; words never depend on them."""
BLUE: Final = "#4a86c5"

SHEET: Final = """
.nba-frozen{
--bg:var(--jp-layout-color1,var(--vscode-editor-background,Canvas));
--fg:var(--jp-content-font-color1,var(--vscode-foreground,currentcolor));
--fg2:color-mix(in srgb,var(--fg) 72%,transparent);
--bg2:color-mix(in srgb,var(--fg) 4.5%,transparent);
--line:color-mix(in srgb,var(--fg) 16%,transparent);
--ok:light-dark(#2e7d32,#81c784);--bad:light-dark(#c62828,#ef9a9a);
--warn:light-dark(#a15c00,#ffb74d);--accent:light-dark(#1565c0,#7ab8f5);
--size:var(--jp-content-font-size1,14px);
--fall:clamp(110px,24cqi,300px);
container:nba-frozen/inline-size;max-width:none!important;margin:2px 0;text-align:left;
color:var(--fg);font-size:var(--size);
font-family:var(--jp-content-font-family,var(--vscode-font-family,system-ui,
sans-serif))!important}
[data-jp-theme-light=true] .nba-frozen,.vscode-light .nba-frozen{color-scheme:light}
[data-jp-theme-light=false] .nba-frozen,.vscode-dark .nba-frozen{color-scheme:dark}
.nba-frozen *{box-sizing:border-box}
.nba-frozen :is(code,pre){font-family:var(--jp-code-font-family,ui-monospace,monospace);
font-size:.93em}
.nba-frozen .nf-card{border:1px solid var(--line);border-radius:8px;overflow:hidden}
.nba-frozen summary{display:flex;align-items:baseline;gap:8px;list-style:none}
.nba-frozen summary::-webkit-details-marker{display:none}
.nba-frozen summary::before{content:"";flex:none;align-self:start;width:6px;height:6px;
margin:.48em 4px 0 2px;border:solid var(--fg2);border-width:0 1.5px 1.5px 0;rotate:-45deg}
.nba-frozen [open]>summary::before{rotate:45deg}
.nba-frozen summary:focus-visible{outline:2px solid var(--accent);outline-offset:-2px}
.nf-head{display:flex;flex-wrap:wrap;gap:0 12px;align-items:start;padding:7px 14px 6px}
.nf-asked{flex:1 1 45%;min-width:14em;margin:0!important;font-weight:500;overflow-wrap:anywhere}
.nf-asked>:first-child{margin-right:6px}
.nf-who{flex:0 1 auto;max-width:54%;margin-left:auto;font-size:.92em}
.nf-who[open]{flex:1 0 100%;max-width:100%}
.nf-came{padding:4px 16px 12px 34px}
.nf-came>:last-child>:last-child{margin-bottom:0!important}
.nf-stage{padding:0 14px}
.nf-happened{border-top:1px solid var(--line)}
.nf-happened>summary{padding:4px 14px;color:var(--fg2);font-size:.86em}
.nf-axis{position:relative;display:block;flex:none;width:var(--fall);height:1.5em;
margin-left:auto;
font-size:.86em}
.nf-axis>span{position:absolute;padding-right:4px;border-right:1px solid var(--line);
translate:-100% 0;white-space:nowrap}
.nf-axis>span::before{content:attr(title)}
.nf-rows{border-top:1px solid var(--line)}
.nf-rows .nf-rows,.nf-more .nf-rows{border-top:0;border-left:1px solid var(--line);
margin-left:16px!important;padding-left:0!important}
.nf-row{break-inside:auto}
.nf-row summary,.nf-row>div:not([class]){break-inside:avoid}
.nba-frozen .nf-line{min-height:32px;padding:5px 14px 5px 10px}
.nba-frozen summary.nf-line:hover{background:var(--bg2)}
.nf-line,.nf-plain{display:flex;align-items:baseline;gap:8px}
.nf-line>span:only-child{flex:1 1 0;min-width:0}
.nf-sign{flex:none;width:14px;text-align:center}
.nf-title{flex:1 1 auto;min-width:6em;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.nf-gave{flex:0 1 auto;max-width:42%;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;
font-size:.93em}
.nf-note{flex:none}
.nba-frozen .nf-end{flex:none;float:none!important;display:flex;gap:8px;padding:0!important;
opacity:1!important;
color:var(--fg2);font-size:.86em!important;font-variant-numeric:tabular-nums}
.nf-word::first-letter,.nf-state::first-letter{text-transform:uppercase}
.nf-word,.nf-state{display:inline-block}
.nf-time{min-width:4.2em;text-align:right}
.nba-frozen .nf-fall{flex:none;align-self:center;width:var(--fall);height:12px!important}
.nba-frozen .nf-fall>span{min-width:2px;height:10px!important;top:1px;border-radius:2px}
.nba-frozen .nf-running{background:color-mix(in srgb,var(--accent) 78%,transparent)!important}
.nf-bad>details>summary .nf-running{background:var(--bad)!important}
.nba-frozen .nf-you{background:repeating-linear-gradient(45deg,var(--warn) 0 2px,
transparent 2px 5px)!important;
border:1px solid var(--warn)}
.nba-frozen .nf-slot{background:repeating-linear-gradient(135deg,var(--fg2) 0 1px,
transparent 1px 4px)!important;
border:1px solid var(--fg2)}
.nba-frozen .nf-model{background:none!important;top:5px!important;height:0!important;
border-top:2px dotted var(--fg2);border-radius:0}
.nf-bad>details>summary{background:color-mix(in srgb,var(--bad) 6%,transparent);
box-shadow:inset 3px 0 0 var(--bad)}
.nf-bad>details>summary .nf-word{color:var(--bad)}
.nf-leave>details>summary{background:color-mix(in srgb,var(--warn) 6%,transparent);
box-shadow:inset 3px 0 0 var(--warn)}
.nf-ok{color:var(--ok)!important}.nf-no{color:var(--bad)!important}.nf-part{
color:var(--warn)!important}
.nba-frozen .nf-in{padding:6px 14px 10px 32px!important;background:var(--bg2)}
.nf-said{padding:6px 14px 6px 32px}
.nba-frozen .nf-more>details>summary{padding:5px 14px 5px 10px;color:var(--accent);
font-size:.86em}
.nf-default{opacity:.6}
@container nba-frozen (max-width:860px){
.nf-axis>span:nth-child(odd):not(:only-child)::before{content:none}
}
@container nba-frozen (max-width:620px){
.nf-who{max-width:100%;flex-basis:100%}
.nba-frozen .nf-line{flex-wrap:wrap;position:relative;padding-bottom:9px}
.nf-title{flex:1 1 0;min-width:0;white-space:normal}
.nf-gave,.nf-note{order:8;padding-left:32px}
.nf-gave{flex:1 0 100%;max-width:100%}
.nf-axis{display:none}
.nba-frozen .nf-fall{position:absolute!important;left:10px;right:14px;bottom:2px;width:auto;
height:5px!important}
.nba-frozen .nf-fall>span{height:4px!important}
.nf-came{padding-left:16px}
}
@media (forced-colors:active){
.nba-frozen .nf-fall>.nf-running{forced-color-adjust:none;background:CanvasText!important}
}
@media print{
.nba-frozen{color-scheme:light!important;background:#fff;border-radius:8px;
--jp-layout-color0:#fff;--jp-layout-color1:#fff;--jp-layout-color2:#eee;
--jp-content-font-color0:#212121;--jp-content-font-color1:#212121;--jp-ui-font-color1:#212121;
--jp-content-link-color:#1565c0;--jp-border-color1:#bbb;
--jp-rendermime-table-row-background:#f5f5f5}
.nba-frozen .nf-card{overflow:visible}
.nba-frozen :is(div,pre)[style*=max-height]{max-height:none!important;overflow:visible!important}
.nba-frozen :is(th,td){min-width:3.6em;padding:1px 4px!important}
.nba-frozen :is(table,td){break-inside:auto}
.nba-frozen table:has(th:nth-child(8)){font-size:.7em!important}
.nba-frozen table:has(th:nth-child(14)){font-size:.5em!important}
.nba-frozen summary::before{visibility:hidden}
.nf-head,.nba-frozen summary,.nba-frozen img,.nba-frozen tr{break-inside:avoid}
.nba-frozen summary{break-after:avoid}
.nf-title,.nf-gave,.nba-frozen :is(th,td,p,pre){overflow-wrap:anywhere}
.nf-title,.nf-gave{white-space:normal;overflow:visible}
:is(.nf-happened,.nf-bad>details,.nf-bad>details>div>details,
.nf-bad>details>.nf-in>div>details)::details-content{content-visibility:visible;display:block}
.nba-frozen *{print-color-adjust:exact}
}
"""


@cache
def style_sheet() -> Html:
    """The style sheet as a link that holds it."""
    return tag("link", rel="stylesheet", href=style_sheet_address())


def style_sheet_address() -> str:
    """The rules as an address: what it names is in it."""
    rules = "".join(SHEET.split("\n")).replace("%", "%25").replace("#", "%23")
    return f"data:text/css,{rules}"
