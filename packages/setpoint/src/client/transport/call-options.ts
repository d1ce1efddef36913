import type { Duration } from '../../host/index.ts'

/** What every call takes. */
export interface CallOptions {
  /** Gives the call up. */
  readonly signal?: AbortSignal | undefined
  /** How long the whole call may take, retries included; `30s` unless given. */
  readonly timeout?: Duration | undefined
}

/** Which objects of a kind are meant. */
export interface Selection {
  /** One namespace; `undefined` means all of them. */
  readonly namespace?: string | undefined
  /** `app=web,tier!=cache`, or the labels that must be equal. */
  readonly labelSelector?: string | Readonly<Record<string, string>> | undefined
  /** `status.phase=Running`; each kind allows few fields. */
  readonly fieldSelector?: string | Readonly<Record<string, string>> | undefined
}

/** How a list is read. */
export interface ListOptions extends Selection, CallOptions {
  /** How many objects a request asks for. */
  readonly pageSize?: number | undefined
  /** How old the answer may be: `'0'` takes whatever the server has in its cache. */
  readonly resourceVersion?: string | undefined
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined
}

/** Where a watch begins and what it tells. */
export interface WatchOptions extends Selection, CallOptions {
  /** Events after this revision; without it, everything that exists first. */
  readonly resourceVersion?: string | undefined
  /** Ask for bookmarks: events without an object, which tell how far the watch is. */
  readonly bookmarks?: boolean | undefined
  /** Send what exists first, then a bookmark that says so. */
  readonly initialEvents?: boolean | undefined
  /** When the server ends the watch of its own accord. */
  readonly timeoutSeconds?: number | undefined
}

/** What every write takes. */
export interface WriteOptions extends CallOptions {
  /** Who owns the fields that are written. */
  readonly fieldManager?: string | undefined
  /** Go through everything but store nothing. */
  readonly dryRun?: boolean | undefined
  /** What happens with fields that the kind does not have; the server's default is `Warn`. */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore' | undefined
  /** Write the status (or another part) instead of the object itself. */
  readonly subresource?: string | undefined
}

/** One operation of a JSON patch (RFC 6902). */
export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test'
  readonly path: string
  readonly from?: string
  readonly value?: unknown
}

/**
 * A patch, by its type: `merge` (RFC 7386) works everywhere, `json` is a list of operations,
 * `strategic` knows the lists of built-in kinds and exists for those only.
 */
export type Patch =
  | { readonly merge: object; readonly json?: never; readonly strategic?: never }
  | {
      readonly json: readonly JsonPatchOperation[]
      readonly merge?: never
      readonly strategic?: never
    }
  | { readonly strategic: object; readonly merge?: never; readonly json?: never }

/** How an application is meant. */
export interface ApplyOptions extends WriteOptions {
  /** Take fields over that others own, instead of failing with `API_CONFLICT`. */
  readonly force?: boolean | undefined
}

/** What happens with the objects an object owns. */
export type Propagation = 'Background' | 'Foreground' | 'Orphan'

/** How a deletion is meant. */
export interface DeleteOptions extends CallOptions {
  readonly propagation?: Propagation | undefined
  /** Delete only if it still is this very object, or this very revision of it. */
  readonly preconditions?:
    { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined } | undefined
  readonly gracePeriodSeconds?: number | undefined
  readonly dryRun?: boolean | undefined
}

/** Which lines of a container's log are meant. */
export interface LogOptions extends CallOptions {
  /** Needed when a pod has several. */
  readonly container?: string | undefined
  /** Go on as lines are written. */
  readonly follow?: boolean | undefined
  /** The log of the container before this one. */
  readonly previous?: boolean | undefined
  readonly tailLines?: number | undefined
  readonly sinceSeconds?: number | undefined
  /** From this time on, as RFC 3339 has it; instead of `sinceSeconds`. */
  readonly sinceTime?: string | undefined
  /** The log ends after so many bytes, in the middle of a line if need be. */
  readonly limitBytes?: number | undefined
  readonly timestamps?: boolean | undefined
}

/** A selector as the query spells it. */
export function selectorText(
  selector: string | Readonly<Record<string, string>> | undefined,
): string | undefined {
  if (selector === undefined || typeof selector === 'string') return selector
  return Object.entries(selector)
    .map(([name, value]) => `${name}=${value}`)
    .join(',')
}
