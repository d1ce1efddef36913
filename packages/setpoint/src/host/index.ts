/**
 * host/: the only door to the world.
 *
 * Time, chance, network, files, environment, signals and the log are touched here and nowhere
 * else; everything above receives a `Host`. Production uses `nodeHost()`; tests and the simulator
 * use `virtualHost({ seed })`, and the same bytes run above either.
 *
 * It knows nothing of Kubernetes. It promises that both hosts mean the same by every call, which
 * `host-conformance.test.ts` checks on each of them.
 */
export { type Duration, durationMs, limitMs } from './duration.ts'
export { joinBytes, readBytes, readText } from './http/body.ts'
export type {
  Clock,
  CommandOptions,
  CommandResult,
  Commands,
  Environment,
  FileInfo,
  Files,
  Host,
  LogSink,
  ProcessEnd,
  ProcessMeter,
  ProcessUsage,
  Random,
  Signal,
  Signals,
  Timer,
  Timers,
  UncaughtKind,
} from './host.ts'
export type {
  HttpBody,
  HttpBodyIterator,
  HttpHandler,
  HttpHeaders,
  HttpPayload,
  HttpRequest,
  HttpRequestHeaders,
  HttpResponse,
  HttpServer,
  ListenOptions,
  Network,
  PeerCertificate,
  ServerRequest,
  ServerResponse,
  TlsClientSettings,
  TlsServerIdentity,
  TlsServerSettings,
} from './http/http.ts'
export { onAbort } from './on-abort.ts'
export type {
  CommandEnd,
  KillSignal,
  Processes,
  RunningCommand,
  StartCommandOptions,
  TemporaryDirectory,
} from './processes.ts'
export { nodeHost, type NodeHostOptions, nodeSockets } from './node/index.ts'
export type { Forwarder, SocketAddress, Sockets } from './sockets.ts'
export { seededRandom, type SeededRandom } from './random/seeded-random.ts'
export {
  type Intercept,
  type Verdict,
  virtualHost,
  type VirtualCommand,
  type VirtualEvent,
  type VirtualEventKind,
  type VirtualHost,
  type VirtualHostOptions,
  type VirtualProcess,
  type VirtualProgram,
} from './virtual/index.ts'
