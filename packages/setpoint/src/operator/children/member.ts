import type { ChildManifest } from '../manifest/child-manifest.ts'
import type { ApiResource } from '../declare/operator-declaration.ts'

/** One object of a set of children, or a child by itself. */
export interface Member {
  /** Empty for a child by itself. */
  readonly key: string
  readonly manifest: ChildManifest
  readonly live: ApiResource | undefined
  /** Whether what was written last is what is wanted now. */
  readonly isUpToDate: boolean
  /** Whether it serves, as it is now. */
  readonly isAvailable: boolean
  /** Whether it has to wait for other children. */
  readonly isHeldBack: boolean
}

/**
 * Whether a member may be written now. What somebody changed is always changed back. What waits for other children is
 * neither made nor brought up to date. Of a set, no more members are brought up to date at a time than may be
 * unavailable; a new state that does not become ready therefore stops where it is.
 */
export function mayUpdate(
  members: readonly Member[],
  index: number,
  maxUnavailable: number | `${number}%` | undefined,
): boolean {
  const member = members[index]
  if (member === undefined || member.isUpToDate) return member !== undefined
  if (member.isHeldBack) return false
  // Making what is missing makes nothing less available.
  if (maxUnavailable === undefined || member.live === undefined) return true
  // One that is not available already costs nothing more.
  if (!member.isAvailable) return true
  const unavailable = members.filter(({ isAvailable }) => !isAvailable).length
  return unavailable < limitOf(maxUnavailable, members.length)
}

/** Whether a member is ready as it is wanted now. */
export function isMemberReady({ isUpToDate, isAvailable }: Member): boolean {
  return isUpToDate && isAvailable
}

/** At least one, or nothing would ever be brought up to date. */
function limitOf(maxUnavailable: number | `${number}%`, count: number): number {
  const limit =
    typeof maxUnavailable === 'number'
      ? maxUnavailable
      : Math.floor((Number.parseFloat(maxUnavailable) / 100) * count)
  return Math.max(1, limit)
}
