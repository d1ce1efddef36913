import type { SimMessage } from '../../sim/index.ts'
import type { EndedRun, LoadedOperator, ShownError } from '../messages.ts'
import type { DevEvent, ObjectDetails, ShownCluster, ShownLine, ShownObject } from '../view.ts'

/** How many reconciles and log lines are kept for the screen. */
const keptMax = 100

/** A reconcile with the time of its end: `12:00:01`. */
export type TimedRun = EndedRun & { readonly time: string }

/** The key of an object in the state. */
export function objectId({ kind, key }: Pick<ShownObject, 'kind' | 'key'>): string {
  return `${kind} ${key}`
}

/** Everything the screen shows: the result of all events so far. */
export interface DevState {
  readonly cluster: ShownCluster | undefined
  readonly phase: 'starting' | 'loading' | 'working' | 'stopping'
  readonly operators: readonly LoadedOperator[]
  readonly failure: { readonly error: ShownError; readonly isOldWorking: boolean } | undefined
  /** The errors of the latest type check. */
  readonly typeErrors: readonly ShownError[]
  /** The result of the simulation of the present sources, once there is one. */
  readonly simulation: SimMessage | undefined
  /** By kind and key, in the order in which they were first seen. */
  readonly objects: ReadonlyMap<string, ShownObject>
  /** The latest last. */
  readonly runs: readonly TimedRun[]
  readonly lines: readonly (ShownLine & { readonly time: string })[]
  readonly runCount: number
  /** The selected object, by its key in `objects`. */
  readonly selected: string | undefined
  /** Whether the selected object is shown alone. */
  readonly isOpen: boolean
  /** By how many lines the log is scrolled back, or the details forward. */
  readonly scroll: number
  readonly details: ObjectDetails | undefined
}

/** The state before the first event. */
export const startingState: DevState = {
  cluster: undefined,
  phase: 'starting',
  operators: [],
  failure: undefined,
  typeErrors: [],
  simulation: undefined,
  objects: new Map(),
  runs: [],
  lines: [],
  runCount: 0,
  selected: undefined,
  isOpen: false,
  scroll: 0,
  details: undefined,
}

/** The state after one more event, at a time such as `12:00:01`. */
export function after(state: DevState, event: DevEvent, time = ''): DevState {
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
        ...withLine(state, { level: 'info', text: `reload: ${event.why}`, time }),
        phase: 'loading',
        simulation: undefined,
      }
    case 'run':
      return {
        ...state,
        runs: kept([...state.runs, { ...event.run, time }]),
        runCount: state.runCount + 1,
      }
    case 'line':
      return withLine(state, { ...event.line, time })
    case 'object': {
      return {
        ...state,
        objects: new Map(state.objects).set(objectId(event.object), event.object),
      }
    }
    case 'gone': {
      const objects = new Map(state.objects)
      objects.delete(objectId(event))
      const isShown = state.selected !== objectId(event)
      return isShown ? { ...state, objects } : { ...state, objects, ...nothingSelected }
    }
    case 'applied':
      return withLine(state, { level: 'info', text: `applied ${event.what}`, time })
    case 'sim':
      return { ...state, simulation: event.result }
    case 'stopping':
      return { ...state, phase: 'stopping' }
  }
}

const nothingSelected = { selected: undefined, isOpen: false, scroll: 0 } as const

/** The rows of a page, for scrolling. */
const pageRows = 10

/** The keys of a terminal. */
const keys = {
  up: ['\u001b[A', 'k'],
  down: ['\u001b[B', 'j'],
  pageUp: ['\u001b[5~'],
  pageDown: ['\u001b[6~'],
  enter: ['\r', '\n'],
  back: ['\u001b', '\u007f'],
}

/** The state after a key was pressed; keys without a meaning for the screen change nothing. */
export function afterKey(state: DevState, key: string): DevState {
  const { isOpen, selected, scroll } = state
  // The log is scrolled back from its end, the details forward from their beginning.
  const page = isOpen ? pageRows : -pageRows
  if (keys.pageDown.includes(key)) return { ...state, scroll: Math.max(0, scroll + page) }
  if (keys.pageUp.includes(key)) return { ...state, scroll: Math.max(0, scroll - page) }
  if (isOpen && keys.down.includes(key)) return { ...state, scroll: scroll + 1 }
  if (isOpen && keys.up.includes(key)) return { ...state, scroll: Math.max(0, scroll - 1) }
  if (keys.down.includes(key)) return select(state, 1)
  if (keys.up.includes(key)) return select(state, -1)
  if (keys.enter.includes(key) && selected !== undefined)
    return { ...state, isOpen: true, scroll: 0 }
  if (keys.back.includes(key))
    return { ...state, ...(isOpen ? { isOpen: false } : nothingSelected), scroll: 0 }
  return state
}

function select(state: DevState, by: 1 | -1): DevState {
  const ids = [...state.objects.keys()]
  if (ids.length === 0) return state
  const at = state.selected === undefined ? -1 : ids.indexOf(state.selected)
  const next = at < 0 ? (by > 0 ? 0 : ids.length - 1) : at + by
  return { ...state, selected: ids[Math.min(Math.max(next, 0), ids.length - 1)] }
}

function withLine(state: DevState, line: DevState['lines'][number]): DevState {
  return { ...state, lines: kept([...state.lines, line]) }
}

function kept<Item>(items: readonly Item[]): readonly Item[] {
  return items.slice(-keptMax)
}
