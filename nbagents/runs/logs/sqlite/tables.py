"""What the file of a log holds: the events, and a table of runs that SQLite itself derives of them.

Triggers keep that table, whoever appends; it can be thrown away and made anew from the events.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from nbagents.results import Usage
from nbagents.runs.logs import RunEntry, branched_from

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from sqlite3 import Connection


VERSION: Final = 5
"""1 had the events alone, and 2 to 4 other tables of runs."""

TOUCH: Final = f"pragma user_version = {VERSION}"
"""Changes nothing, but is a write: the first one at the WAL's beginning waits for the disk."""

TABLES: Final = """
create table if not exists events (
    session_id text not null,
    seq integer not null,
    run_id text not null,
    event_key text not null,
    type text not null,
    at real not null,
    body text not null,
    primary key (session_id, seq),
    unique (session_id, run_id, event_key)
);
create index if not exists usages on events (session_id, seq) where type = 'usage';
create table if not exists claims (
    run_id text primary key,
    by_id text not null,
    at real not null
);
"""

KEYED: Final = "unique (session_id, run_id, event_key)"

RUNS: Final = (
    "drop index if exists run_starts",
    "drop table if exists runs",
    """
    create table runs (
        number integer primary key,
        session_id text not null,
        run_id text not null,
        root_id text not null,
        first_seq integer not null,
        last_seq integer,
        started_at real not null,
        ended_at real,
        agent_name text not null,
        model text not null,
        chat text,
        resumed_from text,
        prompt text not null default '',
        status text not null default 'running',
        calls integer not null default 0,
        input_tokens integer not null default 0,
        output_tokens integer not null default 0,
        cached_tokens integer not null default 0,
        requests integer not null default 0,
        cost real,
        troubled integer not null default 0,
        unique (run_id, session_id)
    )
    """,
    "create index families on runs (session_id, root_id)",
    "create index roots on runs (started_at) where run_id = root_id",
    "create index resumed on runs (resumed_from) where resumed_from is not null",
)
"""The table of runs, made anew."""

COUNTED: Final = """
    max(
        coalesce(sum(
            case type when 'assistant_turn' then json_array_length(body, '$.calls') end), 0),
        coalesce(sum(type = 'tool_end'), 0)) as calls,
    coalesce(sum(
        case type when 'usage' then json_extract(body, '$.input_tokens') end), 0) as given,
    coalesce(sum(
        case type when 'usage' then json_extract(body, '$.output_tokens') end), 0) as made,
    coalesce(sum(
        case type when 'usage' then json_extract(body, '$.cached_tokens') end), 0) as cached,
    coalesce(sum(type = 'usage'), 0) as requests,
    sum(case type when 'usage' then json_extract(body, '$.cost') end) as cost,
    coalesce(max(case type
        when 'tool_end' then instr(body, '"status":"done"') = 0
        when 'guardrail' then instr(body, '"outcome":"refuse"') > 0
        when 'assistant_turn' then
            instr(body, '"refused":true') > 0 or instr(body, '"unmet":["') > 0
        end), 0)
    or coalesce(sum(
        case type when 'assistant_turn' then json_array_length(body, '$.calls') end), 0)
        > coalesce(sum(type = 'tool_end'), 0) as troubled
"""
"""What is counted of one run's events. A text within a text has its quotes escaped: what is looked
for here is the event's own."""
COUNTS: Final = "type in ('assistant_turn', 'tool_end', 'usage', 'guardrail')"

KEPT: Final = {
    "{row}type = 'run_start'": """
        insert or ignore into runs
            (session_id, run_id, root_id, first_seq, started_at, agent_name, model, chat,
             resumed_from)
        values (
            {row}session_id,
            {row}run_id,
            coalesce(
                (select root_id from runs where session_id = {row}session_id
                 and run_id = json_extract({row}body, '$.parent_run_id')),
                json_extract({row}body, '$.parent_run_id'),
                {row}run_id),
            {row}seq,
            {row}at,
            json_extract({row}body, '$.agent_name'),
            json_extract({row}body, '$.model'),
            json_extract({row}body, '$.chat'),
            json_extract({row}body, '$.resumed_from'))""",
    "{row}type = 'user_message'": """
        update runs set prompt = json_extract({row}body, '$.text')
        where session_id = {row}session_id and run_id = {row}run_id and prompt = ''""",
    """{row}type = 'workflow' and json_extract({row}body, '$.phase')
        in ('completed', 'failed', 'limit', 'denied', 'cancelled', 'suspended')""": """
        update runs set
            status = json_extract({row}body, '$.phase'),
            ended_at = {row}at,
            (calls, input_tokens, output_tokens, cached_tokens, requests, cost, troubled) = (
                select {counted} from events
                where session_id = {row}session_id and run_id = {row}run_id and {counts})
        where session_id = {row}session_id and run_id = {row}run_id""",
    "{row}type = 'run_stream_end'": """
        update runs set last_seq = {row}seq
        where session_id = {row}session_id and run_id = {row}run_id""",
}
"""What an event means for its run, by the condition; `{row}` stands before the event's columns.

A run is counted when it ends, not while it goes on: each event would have to wait for that.
"""

INSERT: Final = """
    insert into events values (?, ?, ?, ?, ?, ?, ?)
    on conflict (session_id, run_id, event_key) do nothing
"""
READ: Final = "select body from events where session_id = ? and seq > ? order by seq limit ?"
READ_RUN: Final = """
    select body from events
    where session_id = :session and run_id = :run
        and seq > max(:after, coalesce((select first_seq from runs where {it}) - 1, -1))
        and seq <= coalesce((select last_seq from runs where {it}), :most)
    order by seq limit :limit
""".replace("{it}", "session_id = :session and run_id = :run")
"""Between its first event and its last: other runs of its session are not looked through."""
NEXT: Final = "select coalesce(max(seq) + 1, 0) from events where session_id = ?"
FIND: Final = """
    select run_id, session_id, started_at from runs
    where run_id >= ? and run_id < ? order by started_at desc, number desc
"""
RESUMED: Final = """
    select run_id, session_id, started_at from runs
    where resumed_from = ? and run_id = root_id order by started_at, number
"""
CLAIM: Final = """
    insert into claims values (?, ?, ?) on conflict (run_id) do update
    set by_id = excluded.by_id, at = excluded.at
    where excluded.at > claims.at + ?
        and not exists (select 1 from runs where runs.run_id = claims.by_id)
"""
CLAIMED: Final = "select by_id from claims where run_id = ?"
USAGES: Final = """
    select json_extract(body, '$.model'),
        sum(json_extract(body, '$.input_tokens')),
        sum(json_extract(body, '$.output_tokens')),
        sum(json_extract(body, '$.cached_tokens')),
        count(*),
        sum(json_extract(body, '$.cost'))
    from events where session_id = ? and type = 'usage' group by 1 order by min(seq)
"""
CALLED: Final = """
    select distinct runs.root_id, json_extract(events.body, '$.tool_name')
    from runs join events
        on events.session_id = runs.session_id and events.run_id = runs.run_id
        and events.type = 'tool_end'
    where runs.started_at >= ?
"""
ENTRIES: Final = """
    select root.run_id, root.session_id, root.started_at, root.status, root.agent_name, root.model,
        root.chat, root.resumed_from, root.prompt, count(*) - 1, sum(one.status = 'running'),
        sum(one.calls), sum(one.input_tokens), sum(one.output_tokens), sum(one.cached_tokens),
        sum(one.requests), sum(one.cost), root.ended_at,
        max(one.troubled or one.status <> 'completed'),
        (select json_array(json_extract(body, '$.labels'), json_extract(body, '$.forked_from'))
         from events where session_id = root.session_id and seq = root.first_seq)
    from (select * from runs where run_id = root_id
          order by started_at desc, number desc limit ?) as root
    join runs as one on one.session_id = root.session_id and one.root_id = root.run_id
    group by root.number order by root.started_at desc, root.number desc
"""
ENTRIES_OF_SESSION: Final = ENTRIES.replace(
    "run_id = root_id", "run_id = root_id and session_id = ?"
)
TRIGGERS: Final = "select name from sqlite_master where type = 'trigger' and tbl_name = 'events'"
THOSE: Final = """
    select session_id, run_id, seq, at, body from events where {condition} order by session_id, seq
"""
OPEN: Final = """
    select sum(calls), sum(given), sum(made), sum(cached), sum(requests), sum(cost) from (
        select {counted} from runs as one
        join events on events.session_id = one.session_id and events.run_id = one.run_id
        where one.session_id = ? and one.root_id = ? and one.status = 'running' and {counts}
        group by one.number)
""".replace("{counted}", COUNTED).replace("{counts}", COUNTS)
"""Of the runs of a family that have not ended."""


def prepare(connection: Connection) -> None:
    """Make the tables where they are missing; a file of an older version gets what it lacks."""
    connection.executescript(TABLES)
    if version(connection) >= VERSION and _is_keyed(connection):
        return
    connection.execute("begin immediate")
    try:
        if not _is_keyed(connection):
            _key(connection)
            connection.execute("pragma user_version = 0")
        if version(connection) < VERSION:  # and no other kernel was quicker
            _derive(connection)
            connection.execute(TOUCH)
        connection.commit()
    finally:
        connection.rollback()


def _is_keyed(connection: Connection) -> bool:
    """Whether an event is known by its session, too: the first files did not know it by that."""
    said = connection.execute("select sql from sqlite_master where name = 'events'").fetchone()
    return KEYED in said[0]


def _key(connection: Connection) -> None:
    """Make the table of events anew, with all that is in it."""
    connection.execute("alter table events rename to first_events")
    connection.execute("drop index if exists usages")
    for statement in TABLES.split(";")[:-1]:
        connection.execute(statement)
    connection.execute("insert or ignore into events select * from first_events")
    connection.execute("drop table first_events")


def entry(row: Iterable[Any], count: Callable[[str, str], Iterable[Any]]) -> RunEntry:
    """A row of `ENTRIES`.

    Args:
        row: The row.
        count: Gives the row of `OPEN` for a session and a root; most rows need none.
    """
    run, session, at, status, agent, model, chat, resumed, prompt, children, is_open, *counted = row
    calls, *used, ended_at, troubled, begun = counted
    said: list[Any] = json.loads(begun) if begun else [{}, None]  # Any: JSON
    spent = usage(*used)
    if is_open:
        more, *used = count(session, run)
        calls, spent = calls + (more or 0), spent + usage(*(one or 0 for one in used[:4]), used[4])
    return RunEntry(
        run_id=run,
        session_id=session,
        started_at=at,
        status=status,
        agent_name=agent,
        model=model,
        chat=chat,
        resumed_from=resumed,
        prompt=prompt,
        calls=calls,
        children=children,
        usage=spent,
        ended_at=ended_at,
        troubled=bool(troubled),
        labels=said[0],
        forked_from=branched_from(said[1]),
    )


def usage(*counted: Any) -> Usage:
    """Tokens as SQL has summed them."""
    given, made, cached, requests, cost = counted
    return Usage(
        input_tokens=given,
        output_tokens=made,
        cached_tokens=cached,
        requests=requests,
        cost=cost,
    )


def by_root(rows: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    """The names of tools by the root of the runs that called them."""
    found: dict[str, set[str]] = {}
    for root_id, name in rows:
        found.setdefault(root_id, set()).add(name)
    return {root_id: frozenset(names) for root_id, names in found.items()}


def version(connection: Connection) -> int:
    """Which version of nbagents' tables a file has; 0: none yet."""
    return connection.execute("pragma user_version").fetchone()[0]


def _derive(connection: Connection) -> None:
    """Make the table of runs from the events that there are, and have it kept from now on."""
    for (name,) in connection.execute(TRIGGERS).fetchall():
        connection.execute(f"drop trigger {name}")
    for sql in RUNS:
        connection.execute(sql)
    for number, (condition, sql) in enumerate(KEPT.items()):
        connection.executemany(_filled(sql, ":"), _events(connection, _filled(condition, "")))
        connection.execute(
            f"create trigger keep_{number} after insert on events"
            f" when {_filled(condition, 'new.')} begin {_filled(sql, 'new.')}; end"
        )


def _filled(sql: str, row: str) -> str:
    return sql.format(row=row, counted=COUNTED, counts=COUNTS)


def _events(connection: Connection, condition: str) -> Iterator[dict[str, object]]:
    columns = ("session_id", "run_id", "seq", "at", "body")
    for row in connection.execute(THOSE.format(condition=condition)):
        yield dict(zip(columns, row, strict=True))
