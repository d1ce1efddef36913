import type { EndedRun, LoadedOperator, ShownError } from './messages.ts'
import type { DevEvent, ShownCluster, ShownLine, ShownObject } from './view.ts'

/** How many reconciles and log lines are kept for the screen. */
const keptMax = 100

/** Everything the screen shows: the result of all events so far. */
export interface DevState {
  readonly cluster: ShownCluster | undefined
  readonly phase: 'starting' | 'loading' | 'working' | 'stopping'
  readonly operators: readonly LoadedOperator[]
  readonly failure: { readonly error: ShownError; readonly isOldWorking: boolean } | undefined
  /** The errors of the latest type check. */
  readonly typeErrors: readonly ShownError[]
  /** By kind and key, in the order in which they were first seen. */
  readonly objects: ReadonlyMap<string, ShownObject>
  /** The latest last. */
  readonly runs: readonly EndedRun[]
  readonly lines: readonly ShownLine[]
  readonly runCount: number
}

/** The state before the first event. */
export const startingState: DevState = {
  cluster: undefined,
  phase: 'starting',
  operators: [],
  failure: undefined,
  typeErrors: [],
  objects: new Map(),
  runs: [],
  lines: [],
  runCount: 0,
}

/** The state after one more event. */
export function after(state: DevState, event: DevEvent): DevState {
  switch (event.is) {
    case 'cluster':
      return { ...state, cluster: event.cluster }
    case 'loaded':
      return { ...state, operators: event.operators, phase: 'loading', failure: undefined }
    case 'working':
      return { ...state, phase: 'working', failure: undefined }
    case 'failed': {
      const { error, isOldWorking } = event
      return {
        ...state,
        phase: isOldWorking ? 'working' : 'loading',
        failure: { error, isOldWorking },
      }
    }
    case 'types':
      return { ...state, typeErrors: event.errors }
    case 'reload':
      return {
        ...withLine(state, { level: 'info', text: `reload: ${event.why}` }),
        phase: 'loading',
      }
    case 'run':
      return { ...state, runs: kept([...state.runs, event.run]), runCount: state.runCount + 1 }
    case 'line':
      return withLine(state, event.line)
    case 'object': {
      const { kind, key } = event.object
      return { ...state, objects: new Map(state.objects).set(`${kind} ${key}`, event.object) }
    }
    case 'gone': {
      const objects = new Map(state.objects)
      objects.delete(`${event.kind} ${event.key}`)
      return { ...state, objects }
    }
    case 'applied':
      return withLine(state, { level: 'info', text: `applied ${event.what}` })
    case 'stopping':
      return { ...state, phase: 'stopping' }
  }
}

function withLine(state: DevState, line: ShownLine): DevState {
  return { ...state, lines: kept([...state.lines, line]) }
}

function kept<Item>(items: readonly Item[]): readonly Item[] {
  return items.slice(-keptMax)
}
