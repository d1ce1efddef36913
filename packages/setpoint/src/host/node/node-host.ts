import { randomBytes, randomUUID } from 'node:crypto'
import { checkByteCount } from '../check-byte-count.ts'
import { sleepWith } from '../delay.ts'
import type { Host } from '../host.ts'
import { AgentPool } from './http/agent-pool.ts'
import { nodeRequest } from './http/node-client.ts'
import { nodeCommand } from './node-command.ts'
import { nodeFiles } from './node-files.ts'
import { nodeProcesses } from './node-processes.ts'
import { nodeListen } from './http/node-server.ts'
import { setNodeTimer } from './node-timer.ts'
import { nodeUsage } from './node-usage.ts'
import { Http1Pool } from './http/http1-pool.ts'

/** The options of the real host. */
export interface NodeHostOptions {
  /** The output of log lines; standard output by default. */
  readonly log?: ((line: string) => void) | undefined
}

/**
 * The real host: Node's clock, sockets, files and process. Create one at the entry of the program
 * and pass it on; each has its own pool of connections.
 */
export function nodeHost(options: NodeHostOptions = {}): Host {
  const pools = { connections: new Http1Pool(), agents: new AgentPool() }
  const log = options.log ?? ((line: string) => void process.stdout.write(`${line}\n`))
  const isTerminal = options.log === undefined && Boolean(process.stdout.isTTY)
  return {
    now: () => Date.now(),
    monotonicMs: () => performance.now(),
    setTimer: setNodeTimer,
    sleep: (ms, signal) => sleepWith({ setTimer: setNodeTimer }, ms, signal),
    randomBytes: (count) => {
      checkByteCount(count)
      return new Uint8Array(randomBytes(count))
    },
    random: () => Math.random(),
    uuid: () => randomUUID(),
    request: (request) => nodeRequest(pools, request),
    listen: (listen) => nodeListen({ log, isTerminal }, listen),
    ...nodeFiles,
    env: (name) => (Object.hasOwn(process.env, name) ? process.env[name] : undefined),
    runCommand: nodeCommand,
    ...nodeProcesses(),
    onSignal: (signal, run) => {
      // A new listener, so that the same callback can be subscribed twice.
      const listener = () => run()
      process.on(signal, listener)
      return () => void process.off(signal, listener)
    },
    exit: (code) => process.exit(code),
    onUncaught: (run) => {
      const thrown = (error: unknown) => run(error, 'exception')
      const rejected = (reason: unknown) => run(reason, 'rejection')
      process.on('uncaughtException', thrown)
      process.on('unhandledRejection', rejected)
      return () => {
        process.off('uncaughtException', thrown)
        process.off('unhandledRejection', rejected)
      }
    },
    usage: nodeUsage,
    log,
    isTerminal,
  }
}
