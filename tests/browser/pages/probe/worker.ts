import { probe } from "./probe.js";

postMessage(probe());
