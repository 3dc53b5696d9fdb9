import { handlerMain } from './handler-main.js';
import { nodeSurroundings } from './platform/surroundings.js';

// The entry of the one file that Terraform runs: node fleet-drain.mjs <verb> [--timeout D].
process.exitCode = await handlerMain(await nodeSurroundings());
