import type { ScannedObject } from '../store/scan-object.ts'

/** A watch event, reduced to what `WatchedObjects` needs. */
export type WatchUpdate =
  | { readonly type: 'put' | 'remove'; readonly scanned: ScannedObject }
  | { readonly type: 'bookmark'; readonly resourceVersion: string; readonly isInitialEnd: boolean }

/** Reads the bytes of a watch in the encoding of the response. */
export interface WatchReader {
  /** The bytes of each event that is complete with this chunk. */
  split(chunk: Uint8Array): readonly Uint8Array[]
  /** The event in these bytes; throws the error that a server reports as an event. */
  read(event: Uint8Array): WatchUpdate
}
