import type { Client } from '../../client/index.ts'
import type { EventRecorder } from '../../events/index.ts'
import type { HandlerRuntime } from '../../handlers/handler-runtime.ts'
import type { Host } from '../../host/index.ts'
import type { Logger } from '../../log/index.ts'
import type { MetricsRegistry } from '../../metrics/index.ts'
import type { OperatorDeclaration } from '../declare/operator-declaration.ts'
import type { FailureEvents } from '../failures/failure-events.ts'
import type { SharedFailures } from '../failures/shared-failures.ts'
import type { Finalizer } from '../owner/finalizer.ts'
import type { OwnerFreshness } from '../owner/owner-freshness.ts'
import type { ReadyAuthor } from '../status/ready-author.ts'
import type { RunbookRuntime } from '../runbooks/runbook-runtime.ts'
import type { StatusWriter } from '../status/status-writer.ts'
import type { TerminatingNamespaces } from '../write/terminating-namespaces.ts'
import type { FollowedKinds } from './followed-kinds.ts'
import type { OperatorCaches } from './operator-caches.ts'

/** The services that all reconciles of one operator share. */
export interface OperatorServices {
  readonly declaration: OperatorDeclaration
  readonly host: Host
  readonly client: Client
  readonly fieldManager: string
  readonly log: Logger
  readonly metrics: MetricsRegistry
  readonly caches: OperatorCaches
  readonly followed: FollowedKinds
  readonly freshness: OwnerFreshness
  readonly terminating: TerminatingNamespaces
  readonly finalizer: Finalizer
  readonly statuses: StatusWriter
  readonly events: EventRecorder
  readonly failureEvents: FailureEvents
  readonly shared: SharedFailures
  readonly author: ReadyAuthor
  readonly handlers: HandlerRuntime
  readonly runbooks: RunbookRuntime
}
