import type { Duration } from '../../host/index.ts'

/** Options of every call. */
export interface CallOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal | undefined
  /** How long the whole call may take, including retries; `30s` by default. */
  readonly timeout?: Duration | undefined
}

/** The selected objects of a kind. */
export interface Selection {
  /** One namespace; `undefined` means all of them. */
  readonly namespace?: string | undefined
  /** `app=web,tier!=cache`, or the labels that must be equal. */
  readonly labelSelector?: string | Readonly<Record<string, string>> | undefined
  /** `status.phase=Running`; each kind allows few fields. */
  readonly fieldSelector?: string | Readonly<Record<string, string>> | undefined
}

/** Options of a list. */
export interface ListOptions extends Selection, CallOptions {
  /** How many objects one request returns. */
  readonly pageSize?: number | undefined
  /** How old the result may be: `'0'` accepts any state in the server's cache. */
  readonly resourceVersion?: string | undefined
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined
  /** The `continue` of an earlier page: the list begins after that page. */
  readonly continue?: string | undefined
}

/** Where a watch starts, and its events. */
export interface WatchOptions extends Selection, CallOptions {
  /** Events after this revision; without it, all existing objects first. */
  readonly resourceVersion?: string | undefined
  /** Request bookmarks: events without an object that carry the current revision. */
  readonly bookmarks?: boolean | undefined
  /** Send existing objects first, then a bookmark that marks their end. */
  readonly initialEvents?: boolean | undefined
  /** When the server ends the watch. */
  readonly timeoutSeconds?: number | undefined
}

/** Options of every write. */
export interface WriteOptions extends CallOptions {
  /** The field manager of the written fields. */
  readonly fieldManager?: string | undefined
  /** Validate and process the write without storing it. */
  readonly dryRun?: boolean | undefined
  /** How the server treats unknown fields; its default is `Warn`. */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore' | undefined
  /** Write the status or another subresource instead of the object itself. */
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

/** Options of a server-side apply. */
export interface ApplyOptions extends WriteOptions {
  /** Take over fields of other field managers, instead of failing with `API_CONFLICT`. */
  readonly force?: boolean | undefined
}

/** How the dependents of a deleted object are treated. */
export type Propagation = 'Background' | 'Foreground' | 'Orphan'

/** Options of a delete. */
export interface DeleteOptions extends CallOptions {
  readonly propagation?: Propagation | undefined
  /** Delete only an object with this uid or this revision. */
  readonly preconditions?:
    { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined } | undefined
  readonly gracePeriodSeconds?: number | undefined
  readonly dryRun?: boolean | undefined
}

/** The part of a container's log to read. */
export interface LogOptions extends CallOptions {
  /** Required when the pod has several containers. */
  readonly container?: string | undefined
  /** Continue as lines are written. */
  readonly follow?: boolean | undefined
  /** The log of the previous instance of the container. */
  readonly previous?: boolean | undefined
  readonly tailLines?: number | undefined
  readonly sinceSeconds?: number | undefined
  /** From this time on, in RFC 3339; instead of `sinceSeconds`. */
  readonly sinceTime?: string | undefined
  /** The log ends after this many bytes, possibly within a line. */
  readonly limitBytes?: number | undefined
  readonly timestamps?: boolean | undefined
}

/** A selector as query text. */
export function selectorText(
  selector: string | Readonly<Record<string, string>> | undefined,
): string | undefined {
  if (selector === undefined || typeof selector === 'string') return selector
  return Object.entries(selector)
    .map(([name, value]) => `${name}=${value}`)
    .join(',')
}
