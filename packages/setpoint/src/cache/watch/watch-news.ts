import type { ScannedObject } from '../store/scan-object.ts'

/** An event of a watch, as far as a replica has to know it. */
export type WatchNews =
  | { readonly type: 'put' | 'remove'; readonly scanned: ScannedObject }
  | { readonly type: 'bookmark'; readonly resourceVersion: string; readonly isInitialEnd: boolean }

/** Reads the bytes of a watch, in the encoding its answer has. */
export interface WatchReader {
  /** The events that end in this chunk, as bytes. */
  split(chunk: Uint8Array): readonly Uint8Array[]
  /** What such bytes say; throws what a server reports as an error. */
  read(event: Uint8Array): WatchNews
}
