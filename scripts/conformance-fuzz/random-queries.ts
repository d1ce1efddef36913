import type { Choices } from './choices.ts'

const switches = ['', 'true', 'false', '1', '0', 'x', 'TRUE'] as const
const counts = ['', '0', '1', '2', '-1', 'x', '1.5', '99999999999999999999'] as const
const revisions = ['', '0', '1', 'x', '-1', '{rv}', '999999999'] as const
const names = ['', 'm', 'manager two', 'x'.repeat(129), 'é'] as const

const common: Readonly<Record<string, readonly string[]>> = {
  pretty: switches,
  timeout: ['', '45s', '5', '-1s', 'x', '0', '61m'],
  unknown: ['', 'x'],
}

const reads: Readonly<Record<string, readonly string[]>> = {
  ...common,
  resourceVersion: revisions,
}

const lists: Readonly<Record<string, readonly string[]>> = {
  ...reads,
  limit: counts,
  continue: ['', 'x', 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJhXHUwMDAwIn0'],
  resourceVersionMatch: ['', 'Exact', 'NotOlderThan', 'x'],
  labelSelector: [
    '',
    'a=b',
    'a==b',
    'a!=b',
    'a',
    '!a',
    'a in (b,c)',
    'a notin (b)',
    'a in (',
    'a=b,',
    ',',
    'a=b=c',
    'a>1',
    'a<x',
    'A/b=c',
    'a b',
    '-a',
  ],
  fieldSelector: [
    '',
    'metadata.name=a',
    'metadata.name!=a',
    'metadata.namespace={ns}',
    'spec.unknown=x',
    'metadata.name',
    '=a',
    'metadata.name=a,metadata.name=b',
    'metadata.name in (a)',
    'status.phase=x',
    'type=x',
  ],
  sendInitialEvents: switches,
  allowWatchBookmarks: switches,
  watch: ['', 'false', '0'],
  timeoutSeconds: counts,
  includeObject: ['Metadata', 'Object', 'None', 'x', ''],
}

const writes: Readonly<Record<string, readonly string[]>> = {
  ...common,
  dryRun: ['', 'All', 'None', 'all', 'All&dryRun=All'],
  fieldManager: names,
  fieldValidation: ['', 'Strict', 'Warn', 'Ignore', 'strict', 'x'],
}

const patches: Readonly<Record<string, readonly string[]>> = { ...writes, force: switches }

const deletes: Readonly<Record<string, readonly string[]>> = {
  ...common,
  dryRun: ['', 'All', 'None', 'x'],
  gracePeriodSeconds: counts,
  propagationPolicy: ['', 'Orphan', 'Background', 'Foreground', 'x'],
  orphanDependents: switches,
  resourceVersion: revisions,
  ignoreStoreReadErrorWithClusterBreakingPotential: switches,
}

const watches: Readonly<Record<string, readonly string[]>> = {
  resourceVersion: ['', '0', 'x', '-1', '999999999999'],
  resourceVersionMatch: ['', 'NotOlderThan', 'Exact', 'x'],
  sendInitialEvents: ['', 'true', 'false', 'x'],
  allowWatchBookmarks: switches,
  labelSelector: ['', 'a=b', 'a in ('],
  fieldSelector: ['', 'metadata.name=a', 'x=y'],
  limit: ['1', 'x'],
  continue: ['x'],
  pretty: switches,
}

const parameters = { reads, lists, writes, patches, deletes, watches } as const

/** A query of up to `max` random parameters for a verb; empty or beginning with `?`. */
export function randomQuery(choices: Choices, verb: keyof typeof parameters, max: number): string {
  const known: Readonly<Record<string, readonly string[]>> = parameters[verb]
  const pairs = choices.some(Object.keys(known), max).map((name) => {
    const value = choices.one(known[name] ?? [''])
    const [first = '', ...more] = value.split('&')
    const encoded = encodeURIComponent(first).replace(/%7B(ns|rv|uid)%7D/g, '{$1}')
    return [`${name}=${encoded}`, ...more].join('&')
  })
  // An empty value is true, and a watch without an end would not be answered.
  const others = pairs.filter((pair) => !pair.startsWith('timeoutSeconds='))
  const ended = pairs.includes('watch=') ? [...others, 'timeoutSeconds=1'] : pairs
  return ended.length === 0 ? '' : `?${ended.join('&')}`
}
