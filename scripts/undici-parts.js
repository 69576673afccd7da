// What the command line uses of undici, by the names that `undici` gives it. Its front door loads fetch, WebSocket, caches and mocks as well, and
// that takes longer than a plan.

import api from 'undici/lib/api/index.js';
import errors from 'undici/lib/core/errors.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';

// As its front door does.
Object.assign(Dispatcher.prototype, api);

export { Agent, EnvHttpProxyAgent, errors };
