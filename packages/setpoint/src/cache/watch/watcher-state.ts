/**
 * The state of a watcher: `syncing` has not listed everything yet, `live` is current and watches,
 * `broken` lost the server and retries, `absent` waits until its kind is served, `stopped` has
 * ended.
 */
export type WatcherState = 'syncing' | 'live' | 'broken' | 'absent' | 'stopped'
