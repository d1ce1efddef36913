import type { ServerResponse } from 'setpoint/host'
import type { ApiRequest } from './api-request.ts'
import { pageNotFound, textResponse } from './http/respond.ts'

/** The checks a person expects to see; in one process they stand or fall together. */
const checks = ['ping', 'log', 'etcd']

/** `/healthz`, `/livez`, `/readyz`, one check of them, or all with `?verbose`. */
export function healthResponse(root: string, check: string, { info }: ApiRequest): ServerResponse {
  if (check !== '') return checks.includes(check) ? textResponse(200, 'ok') : pageNotFound()
  if (!info.query.has('verbose')) return textResponse(200, 'ok')
  const lines = checks.map((name) => `[+]${name} ok\n`)
  return textResponse(200, `${lines.join('')}${root} check passed\n`)
}
