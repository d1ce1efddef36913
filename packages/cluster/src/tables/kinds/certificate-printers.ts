import type { JsonObject, JsonValue } from 'setpoint/schema'
import { nameOf } from '../../object/index.ts'
import { ageOf } from '../age.ts'
import { humanDuration } from '../human-duration.ts'
import type { CellPrinters } from '../row-printer.ts'

/** CertificateSigningRequests. */
export const certificatePrinters: CellPrinters = {
  'certificates.k8s.io/certificatesigningrequests': signingRequestCells,
}

interface SigningRequest {
  readonly spec?: {
    readonly signerName?: string
    readonly username?: string
    readonly expirationSeconds?: number
  }
  readonly status?: {
    readonly certificate?: string
    readonly conditions?: readonly { readonly type: string }[]
  }
}

function signingRequestCells(object: JsonObject, nowMs: number): JsonValue[] {
  const request = object as unknown as SigningRequest
  const { signerName = '', username = '', expirationSeconds } = request.spec ?? {}
  return [
    nameOf(object),
    ageOf(object, nowMs),
    signerName === '' ? '<none>' : signerName,
    username,
    expirationSeconds === undefined ? '<none>' : humanDuration(expirationSeconds * 1000),
    signingStatus(request),
  ]
}

function signingStatus({ status }: SigningRequest): string {
  const has = (type: string): boolean =>
    status?.conditions?.some((condition) => condition.type === type) ?? false
  const words = [has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending']
  if (has('Failed')) words.push('Failed')
  if ((status?.certificate ?? '') !== '') words.push('Issued')
  return words.join(',')
}
