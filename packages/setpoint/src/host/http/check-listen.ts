import type { ListenOptions } from './http.ts'
import { misuse } from '../misuse.ts'

/** Refuses an invalid port before anything is opened. */
export function checkListen({ port = 0 }: ListenOptions): void {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return
  throw misuse(`a server cannot listen on port ${port}`, 'use a port from 0 (a free one) to 65535')
}
