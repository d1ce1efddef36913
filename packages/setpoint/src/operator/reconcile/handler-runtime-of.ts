import { keyOf, type KindCache } from '../../cache/index.ts'
import type { Client } from '../../client/index.ts'
import type { Run } from '../../controller/index.ts'
import { HandlerRuntime } from '../../handlers/handler-runtime.ts'
import type { Host } from '../../host/index.ts'
import type { Kind } from '../../kinds/kind.ts'
import type { Logger } from '../../log/index.ts'
import { defaultName } from '../declare/default-name.ts'
import type { EventRecorder } from '../events/event-recorder.ts'
import type { FailureReport } from '../status/failure-report.ts'
import { resultsIn } from '../status/handler-status.ts'
import type { ApiResource, OperatorDeclaration } from '../declare/operator-declaration.ts'
import { OwnedWriter } from '../write/owned-writer.ts'
import { reconcileContext } from './reconcile-context.ts'
import type { SharedFailures } from '../status/shared-failures.ts'
import { type Status, withKept } from '../status/shared-status.ts'

/** What handlers need of the operator around them. */
interface HandlerParts {
  readonly declaration: OperatorDeclaration
  readonly host: Host
  readonly client: Client
  readonly log: Logger
  readonly cache: KindCache
  readonly cacheOf: (kind: Kind) => KindCache
  readonly owned: (kind: Kind, owner: ApiResource) => ApiResource[]
  readonly events: EventRecorder
  readonly failures: FailureReport
  readonly shared: SharedFailures
}

/** The handlers of an operator, with the contexts they get outside of runs. */
export function handlerRuntimeOf(parts: HandlerParts): HandlerRuntime {
  const { declaration, host, client, cacheOf, owned, events, failures } = parts
  const { kind, definition, handlers, cleanUps, indexes, options } = declaration
  const { name } = options
  const hasReady = definition?.conditions.includes('Ready') === true
  return new HandlerRuntime({
    ...parts,
    definition,
    handlers,
    cleanUps,
    indexes,
    operator: { name, isNamed: name !== defaultName(kind) },
    contextOf: (object, signal) => {
      const owner: ApiResource = object
      const key = keyOf(owner.metadata)
      const run = lastingRun(host.uuid(), key, signal)
      const log = parts.log.child({ key })
      const writer = new OwnedWriter({
        ...{ client, run, owner, cacheOf },
        fieldManager: options.fieldManager ?? name,
      })
      return reconcileContext({
        ...{ host, client, run, log, owner, writer, cacheOf },
        // What follows from the children is for the next run to say: until then it stays as it is.
        updateStatus: async (said) => {
          const status: Status = { ...resultsIn(writer.owner, declaration), ...said }
          const kept =
            hasReady && parts.shared.isAlone ? withKept(writer.owner, status, 'Ready') : status
          return writer.updateStatus(kind, kept)
        },
        owned: (ownedKind) => owned(ownedKind, owner),
        recordEvent: (event) => events.record(event.regarding ?? owner, event, signal),
      })
    },
    report: (object, message) => void failures.record(object, message),
  })
}

/** What is no run of a key, but writes: the echo of it is news for the key. */
function lastingRun(id: string, key: string, signal: AbortSignal): Run {
  return { id, key, reasons: [], failures: 0, signal, wrote: () => undefined }
}
