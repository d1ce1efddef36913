import { headline, isSetpointError } from '../../errors/index.ts'
import type { ChildDeclaration } from '../declare/operator-declaration.ts'
import { progressOf } from './child-readiness.ts'
import type { Member } from './member.ts'

/** One declared child in a reconcile: the states of its members, and the error if it failed. */
export interface ChildState {
  readonly members: readonly Member[]
  readonly error?: unknown
}

/** What a child waits for: `deployment: 1 of 3 replicas available`; `undefined` if it is ready. */
export function waitingFor(
  { name, isSet }: ChildDeclaration,
  state: ChildState | undefined,
): string | undefined {
  if (state === undefined) return undefined
  const { error, members } = state
  if (error !== undefined) {
    return isSetpointError(error, 'RETRY_LATER') ? `${name}: ${headline(error)}` : name
  }
  const waiting = members.filter((member) => member.state !== 'ready')
  const [first] = waiting
  if (first === undefined) return undefined
  if (isSet) return `${name}: ${members.length - waiting.length} of ${members.length} ready`
  return `${name}: ${progressText(first)}`
}

function progressText({ state, live }: Member): string {
  switch (state) {
    case 'missing':
      return 'not created yet'
    case 'waiting':
      return 'waiting for other children'
    case 'outdated':
      return 'not updated yet'
    case 'terminating':
      return 'terminating'
    case 'updating':
    case 'ready':
      return (live === undefined ? undefined : progressOf(live)) ?? 'not ready yet'
  }
}
