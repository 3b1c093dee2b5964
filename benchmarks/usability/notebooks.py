"""The notebooks of the ten tasks, and their tools; models are scripted, so each run is the same.

Tools and agents lie in a module, so that nobody reads the answer of a task in a cell.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["NOTEBOOKS"]

BEGIN = """
import asyncio
import time
import nbagents as nba
from nbagents.models.scripted import call
"""

MARKET = """
@nba.tool
async def fetch_prices(market: str) -> str:
    "Fetch today's prices."
    await asyncio.sleep(1.2)
    return f"{market}: 412 prices"

@nba.tool
async def fetch_news(topic: str) -> str:
    "Fetch the news about something."
    await asyncio.sleep(0.6)
    return f"3 articles about {topic}"

@nba.tool
def load_archive(year: int) -> str:
    "Load the archive of a year."
    time.sleep(2.5)
    return f"archive of {year} loaded"

@nba.tool
def compute_index(base: int) -> str:
    "Compute the price index."
    time.sleep(0.3)
    return "index 118.4"

analyst = nba.Agent(
    "analyst",
    tools=[fetch_prices, fetch_news, load_archive, compute_index],
    model=nba.ScriptedModel([
        [call("fetch_prices", market="Oslo"), call("load_archive", year=2024),
         call("fetch_news", topic="inflation"), call("compute_index", base=2015)],
        "The index stands at **118.4** (2015 = 100).",
    ]),
)
"""

REFUND = """
import pandas as pd

@nba.tool
def find_customer(name: str) -> str:
    "Find a customer by name."
    return f"{name} is customer 17"

@nba.tool
def list_orders(customer: int) -> pd.DataFrame:
    "List the orders of a customer."
    return pd.DataFrame({"order": ["A-1004", "A-1006", "A-1010"], "euros": [80, 240, 35]})

@nba.tool
def shipping_rules(country: str) -> str:
    "The rules for shipping to a country."
    return f"Parcels to {country} may be returned within 30 days."

@nba.tool
def refund(order: str, euros: int) -> str:
    "Pay an order back."
    raise nba.ToolError(f"Order {order} belongs to another customer.")

clerk = nba.Agent(
    "clerk",
    tools=[find_customer, list_orders, shipping_rules, refund],
    model=nba.ScriptedModel([
        call("find_customer", name="Berg"),
        call("list_orders", customer=17),
        call("shipping_rules", country="Norway"),
        call("refund", order="A-1009", euros=240),
        "I could not pay the order back.",
    ]),
)
"""

CLEAN = """
@nba.tool
def list_files(folder: str) -> str:
    "List a folder."
    return "1,204 files, 38 GB"

@nba.tool(destructive=True)
def delete_files(folder: str, older_than_days: int) -> str:
    "Delete the old files of a folder."
    return f"Deleted 311 files older than {older_than_days} days."

keeper = nba.Agent(
    "keeper",
    tools=[list_files, delete_files],
    model=nba.ScriptedModel([
        call("list_files", folder="/data/logs"),
        call("delete_files", folder="/data/logs", older_than_days=30),
        "The folder is tidy again.",
    ]),
)
"""

HOSTS = """
from nbagents.models.model import ModelTurn

@nba.tool
async def check_host(name: str) -> str:
    "Check whether a host is well."
    if name == "node-067":
        raise ValueError("certificate expired on 3 May")
    return f"{name} is well"

@nba.tool
async def free_space(name: str) -> str:
    "The free space of a host."
    return f"{12 + len(name)} GB free"

def checks(rack):
    names = [f"node-{rack * 10 + n:03}" for n in range(10)]
    return tuple(call(tool, name=name) for tool in ("check_host", "free_space") for name in names)

watch = nba.Agent(
    "watch",
    tools=[check_host, free_space],
    max_steps=20, max_calls=None,
    model=nba.ScriptedModel([
        *[ModelTurn(text=f"Now rack {rack}.", calls=checks(rack)) for rack in range(10)],
        "Almost all hosts are well.",
    ]),
)
"""

TABLE = """
import pandas as pd

@nba.tool
def load_readings(station: str) -> pd.DataFrame:
    "Load all readings of a station."
    rows = range(100_000)
    return pd.DataFrame({
        "sensor": [f"S-{n * 7919 % 9973:04}" for n in rows],
        "celsius": [round(n * 31 % 400 / 10 - 10, 1) for n in rows],
        "code": [f"{n * 7717 % 99991:05}" for n in rows],
    })

meteorologist = nba.Agent(
    "meteorologist",
    tools=[load_readings],
    model=nba.ScriptedModel([call("load_readings", station="Tromsø"), "Here are the readings."]),
)
"""

TRAINING = """
@nba.tool
def train(model: str, epochs: int) -> str:
    "Train a model."
    for epoch in range(1, epochs + 1):
        print(f"epoch {epoch:5d}  loss {2 / epoch ** 0.5:.5f}  learning rate 0.00100  batch 256")
    print("best checkpoint: epoch-4182.pt")
    return "trained"

trainer = nba.Agent(
    "trainer",
    tools=[train],
    model=nba.ScriptedModel([call("train", model="tiny", epochs=5000), "The model is trained."]),
)
"""

SIMULATION = """
from typing import Any

@nba.tool
async def simulate(
    mesh: str, steps: int, dt: float, viscosity: float, density: float, inlet: str,
    outlet: str, turbulence: str, solver: str, tolerance: float, seed: int,
) -> dict[str, Any]:
    "Simulate a flow."
    stable = solver == "implicit"
    return {
        "mesh": mesh, "cells": 48_200, "iterations": 940, "pressure_drop_pa": 1290.5,
        "mass_error": 0.0003, "residual": 1e-6 if stable else 12.7,
        "wall_time": "8 min", "stable": stable,
    }

shared = dict(
    mesh="pipe-bend-fine", steps=5000, dt=0.002, viscosity=0.001, density=998.2,
    inlet="2.5 m/s", outlet="0 Pa", turbulence="k-omega", tolerance=1e-6, seed=7,
)
engineer = nba.Agent(
    "engineer",
    tools=[simulate],
    model=nba.ScriptedModel([
        [call("simulate", **shared, solver="implicit"),
         call("simulate", **shared, solver="explicit")],
        "One of the two did not converge.",
    ]),
)
"""

GEOMETRY = """
@nba.tool
def area(width: float, height: float) -> str:
    "The area of a field."
    return f"area {width * height:g} m²"

@nba.tool
def yield_of(crop: str, square_metres: float, rain_mm: int = 600) -> str:
    "The yield of a crop on a field."
    return f"{crop}: {square_metres * rain_mm / 1000:g} kg"

farmer = nba.Agent(
    "farmer",
    tools=[area, yield_of],
    model=nba.ScriptedModel([
        call("area", width=120, height=80),
        call("yield_of", crop="barley", square_metres=9600, rain_mm=550),
        "About **5,280 kg** of barley.",
    ]),
)
"""

DAY = """
from nbagents.results import Usage

@nba.tool
def look_up(word: str) -> str:
    "Look a word up."
    if word == "quark":
        raise ValueError("no such entry")
    return f"{word}: see page 12"

def reader(name, *steps, tokens):
    used = Usage(input_tokens=tokens, output_tokens=tokens // 10)
    return nba.Agent(name, tools=[look_up], model=nba.ScriptedModel(steps, usage=used))

summary = reader("summary", call("look_up", word="atom"), "Atoms are on page 12.", tokens=2_000)
glossary = reader(
    "glossary", [call("look_up", word="boson"), call("look_up", word="lepton")],
    "Both are on page 12.", tokens=9_000)
index = reader("index", call("look_up", word="quark"), "It is not in the book.", tokens=3_000)
review = reader(
    "review", call("look_up", word="spin"), call("look_up", word="charge"),
    call("look_up", word="mass"), "All three are on page 12.", tokens=21_000)
title = reader("title", "A short history of matter", tokens=1_000)
"""

LEVELS = """
@nba.tool
def price_index(region: str, year: int) -> str:
    "The price index of a region."
    return f"index {118.4 if region == 'Vestland' else 109.9}"

@nba.tool
def population(region: str) -> str:
    "How many people live in a region."
    return f"{region}: 651,000 people"

def level(name, below, *, question, answer):
    tools = [population, below.as_tool("ask_" + below.name, f"Ask the {below.name}.")]
    steps = [
        [call("population", region="Vestland"), call("ask_" + below.name, input=question)],
        answer,
    ]
    return nba.Agent(name, tools=tools, model=nba.ScriptedModel(steps))

archivist = nba.Agent(
    "archivist", tools=[population, price_index],
    model=nba.ScriptedModel([
        [call("population", region="Vestland"), call("price_index", region="Vestland", year=2021)],
        "The index is 118.4.",
    ]),
)
economist = level("economist", archivist, question="Which index?", answer="Prices rose 18.4 %.")
surveyor = level("surveyor", economist, question="How far did prices rise?", answer="Add 18 %.")
builder = level("builder", surveyor, question="What is to be added?", answer="About 4.1 million.")
planner = level("planner", builder, question="What does it cost?", answer="4.2 million with fees.")
mayor = level("mayor", planner, question="What shall we pay?", answer="It costs 4.2 million.")
"""


LOAD = "%load_ext nbagents\nfrom desk import *"
PRICES = '%config NbAgents.prices = {"scripted": {"input": 2.0, "output": 8.0}}'


class Notebook(NamedTuple):
    """A notebook of a task."""

    tools: str
    """The source of the module `desk` beside it."""
    cells: tuple[str, ...]


def asked(tools: str, *lines: str) -> Notebook:
    """A notebook that loads the tools and asks these lines."""
    return Notebook((BEGIN + tools).lstrip(), (LOAD, *lines))


NOTEBOOKS = {
    "slowest": asked(MARKET, "%agent -a analyst How do prices stand?"),
    "saw": asked(REFUND, "%agent -a clerk Pay back Berg's order of 240 euros."),
    "approved": asked(CLEAN, "%agent -a keeper Tidy up /data/logs."),
    "failed": asked(HOSTS, "%agent -a watch Are all hosts well?"),
    "row": asked(TABLE, "%agent -a meteorologist Show me the readings of Tromsø."),
    "last": asked(TRAINING, "%agent -a trainer Train the tiny model."),
    "differ": asked(SIMULATION, "%agent -a engineer Compare the two solvers."),
    "python": asked(GEOMETRY, "%agent -a farmer How much barley grows on 120 by 80 metres?"),
    "day": asked(
        DAY,
        PRICES,
        "%agent -a summary Where are atoms?",
        "%agent -a glossary Where are bosons and leptons?",
        "%agent -a index Where are quarks?",
        "%agent -a review Where are spin, charge and mass?",
        "%agent -a title What should the book be called?",
    ),
    "deep": asked(LEVELS, "%agent -a mayor What does the school cost?"),
}
