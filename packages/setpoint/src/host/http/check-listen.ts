import type { ListenOptions } from './http.ts'
import { invalidCallError } from '../invalid-call-error.ts'

/** Refuses an invalid port before anything is opened. */
export function checkListen({ port = 0 }: ListenOptions): void {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return
  throw invalidCallError(
    `a server cannot listen on port ${port}`,
    'use a port from 0 (a free one) to 65535',
  )
}
