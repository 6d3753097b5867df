#!/usr/bin/env node
// Starts `memora` out of the package for this system, which npm installed beside this one.
"use strict";

const { spawn } = require("node:child_process");

const system = `${process.platform}-${process.arch}`;
const name = process.platform === "win32" ? "memora.exe" : "memora";
let program;
try {
  program = require.resolve(`@memora-notes/${system}/bin/${name}`);
} catch {
  console.error(`memora: no program for ${system} is installed`);
  console.error("hint: install without --omit=optional; there is none for musl");
  process.exit(2);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// A terminal sends Ctrl-C to both, and the program decides what it means; whoever manages services sends to this one alone.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`memora: ${program} cannot be started: ${error.message}`);
  process.exit(2);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
