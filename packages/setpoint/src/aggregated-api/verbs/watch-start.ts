/** How a watch starts. Pure. */
import { refusals } from '../api-refusal.ts'

/** What the client of a watch gets first. */
export interface WatchStart {
  /** The current objects as ADDED events. */
  readonly hasInitialEvents: boolean
  /** A bookmark after them, by which the client knows that they are complete. */
  readonly hasInitialBookmark: boolean
  readonly hasBookmarks: boolean
  /** The version after which changes are sent; `undefined` without one. */
  readonly resourceVersion: string | undefined
}

/** Decides by the query; throws a refusal of options that contradict each other. */
export function watchStart(query: URLSearchParams): WatchStart {
  const version = query.get('resourceVersion') ?? ''
  const asked = query.get('sendInitialEvents')
  const match = query.get('resourceVersionMatch') ?? ''
  if (asked === null && match !== '') {
    throw refusals.badRequest(
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    )
  }
  if (asked !== null && match !== 'NotOlderThan') {
    throw refusals.badRequest(
      'resourceVersionMatch: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    )
  }
  const isSent = asked === 'true' || asked === '1'
  const isAny = version === '' || version === '0'
  const hasBookmarks = ['true', '1'].includes(query.get('allowWatchBookmarks') ?? '')
  return {
    hasInitialEvents: asked === null ? isAny : isSent,
    hasInitialBookmark: isSent && hasBookmarks,
    hasBookmarks,
    resourceVersion: isAny || isSent ? undefined : version,
  }
}
