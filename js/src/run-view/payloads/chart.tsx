/** A payload of kind `chart` in a run. */
import type { JSX } from "preact";
import { type Door, isRecord } from "../../bridge";
import { plainNumbers } from "../../numbers";
import type { JsonValue, PayloadNode } from "../../tree";
import { ByModule, type Place } from "./by-module";

export function ChartView(props: Place): JSX.Element {
  return <ByModule {...props} kind="chart" read={plainNumbers} more={keepsPicture} />;
}

/** Its picture, for the saved notebook. */
function keepsPicture(door: Door, { id }: PayloadNode) {
  return {
    emit: (said: JsonValue) => {
      if (door.isLive && isRecord(said)) door.emit("chart", { payload_id: id, ...said });
    },
  };
}
