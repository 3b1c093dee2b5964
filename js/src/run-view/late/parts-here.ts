/** For tests of what is drawn, not of how it comes: the late parts are here from the start. */
import { beforeEach } from "vitest";
import { arrive } from "./late";
import * as pane from "./pane";
import * as parts from "./parts";

beforeEach(() => arrive(parts, pane));
