/** For tests of what is drawn, not of how it comes: the late parts are here from the start. */
import { beforeEach } from "vitest";
import * as pane from "./pane";
import * as parts from "./parts";
import { arrive } from "./stand-ins";

beforeEach(() => arrive(parts, pane));
