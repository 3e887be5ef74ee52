import { probe } from "./probe.js";
import { report } from "./report.js";

report(probe());
