/**
 * How a watcher is: `syncing` has not seen everything yet, `live` is up to date as far as it knows, `broken` lost
 * the server and is trying again, `absent` waits for its kind to be served, `stopped` was asked to end.
 */
export type WatcherState = 'syncing' | 'live' | 'broken' | 'absent' | 'stopped'
