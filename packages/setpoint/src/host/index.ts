/**
 * host/: the only access to the outside world.
 *
 * Time, randomness, network, files, environment, signals and the log are used only here; everything
 * above receives a `Host`. Production uses `nodeHost()`; tests use `virtualHost({ seed })`, and the
 * same code runs on both.
 *
 * It does not depend on Kubernetes. Both hosts behave the same, which `host-conformance.test.ts`
 * checks.
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
export { CutConnection } from './http/cut-connection.ts'
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
  ServerLimits,
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
export type { JournalFile, JournalFiles } from './journal-files.ts'
export { nodeHost, type NodeHostOptions, nodeJournalFiles, nodeSockets } from './node/index.ts'
export type { Forwarder, SocketAddress, Sockets } from './sockets.ts'
export {
  isProgramMissing,
  openWorkspace,
  type Workspace,
  type WorkspaceCommand,
} from './workspace.ts'
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
