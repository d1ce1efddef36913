import type { Change } from '../../cache/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import type { IndexPairs } from '../object-indexes.ts'
import type { Schedule } from '../schedule/schedule.ts'
import type { DaemonOptions, HandlerOptions, TaskOptions } from './handler-options.ts'

/** A function of the author; its types are checked where it is declared. */
type AuthorFunction = (object: ApiResource, context: object) => Promise<unknown>

interface Declared<Options extends TaskOptions> {
  readonly id: string
  readonly run: AuthorFunction
  readonly options: Options
}

/** `.onCreate`, `.onUpdate`, `.onField`, `.onResume` and `.onDelete`. */
export interface ChangeHandler extends Declared<HandlerOptions> {
  readonly on: 'create' | 'update' | 'resume' | 'delete'
  /** The field of the handler, and whether old, new and diff contain only that field. */
  readonly path: readonly string[]
  readonly isNarrow: boolean
}

/** `.daemon`. */
export interface DaemonHandler extends Declared<DaemonOptions> {
  readonly on: 'daemon'
}

/** `.every`. */
export interface TimerHandler extends Declared<TaskOptions> {
  readonly on: 'timer'
  readonly schedule: Schedule
}

/** `.onEvent`. */
export interface EventHandler extends Omit<Declared<TaskOptions>, 'run'> {
  readonly on: 'event'
  readonly run: (event: ObjectEvent, context: object) => Promise<void>
}

/** Any handler, without its types. */
export type HandlerDeclaration = ChangeHandler | DaemonHandler | TimerHandler | EventHandler

/** `.index`. */
export interface IndexDeclaration {
  readonly name: string
  readonly pairsOf: (object: ApiResource) => IndexPairs
}

/** A watch event of an object. */
export interface ObjectEvent<Served = ApiResource> {
  /**
   * `removed` is a deletion; `deselected` means that the object exists but is no longer selected.
   */
  readonly type: Change['type']
  /** The current state; for `removed` and `deselected` the last known one. */
  readonly object: Served
  /** The previous state, if the process knew one. */
  readonly previous: Served | undefined
  /**
   * The object existed before the process started: it did not change, the process only found it.
   */
  readonly isInitial: boolean
}
