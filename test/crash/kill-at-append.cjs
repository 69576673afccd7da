// Preload of a command line: kills the process when it appends a certain line to the log of a run over several targets; and sets its clock ahead.

const { syncBuiltinESMExports } = require('node:module');
const files = require('node:fs/promises');

const { KILL_AT = '0', KILL_WHEN = 'after', CLOCK_AHEAD = '0' } = process.env;

const now = Date.now;
Date.now = () => now() + Number(CLOCK_AHEAD);

const { open } = files;
let lines = 0;

files.open = async (path, ...rest) => {
  const handle = await open(path, ...rest);
  if (!/fleet\/[^/]+\/log\.ndjson$/.test(String(path))) return handle;
  const { appendFile } = handle;
  handle.appendFile = async (...given) => {
    const before = lines;
    lines += String(given[0]).split('\n').length - 1;
    // Events of several targets can share an append.
    const isMeant = before < Number(KILL_AT) && Number(KILL_AT) <= lines;
    if (isMeant && KILL_WHEN === 'before') process.kill(process.pid, 'SIGKILL');
    await appendFile.apply(handle, given);
    if (!isMeant) return;
    await handle.sync();
    process.kill(process.pid, 'SIGKILL');
  };
  return handle;
};
syncBuiltinESMExports();
