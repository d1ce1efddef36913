import type { JsonObject, JsonValue } from 'setpoint/schema'
import { nameOf } from '../../object/index.ts'
import { ageOf } from '../age.ts'
import type { CellPrinters } from '../row-printer.ts'
import { shortenedList } from '../shortened-list.ts'

/** Endpoints and endpoint slices. */
export const endpointsPrinters: CellPrinters = {
  '/endpoints': endpointsCells,
  'discovery.k8s.io/endpointslices': endpointSliceCells,
}

interface Endpoints {
  readonly subsets?: readonly {
    readonly addresses?: readonly { readonly ip: string }[]
    readonly ports?: readonly { readonly port: number }[]
  }[]
}

function endpointsCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { subsets = [] } = object as unknown as Endpoints
  const addresses = subsets.flatMap(({ addresses: own = [], ports = [] }) =>
    ports.length === 0
      ? own.map(({ ip }) => ip)
      : ports.flatMap(({ port }) => own.map(({ ip }) => hostPort(ip, port))),
  )
  const text = subsets.length === 0 ? '<none>' : shortenedList(addresses)
  return [nameOf(object), text, ageOf(object, nowMs)]
}

function hostPort(ip: string, port: number): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`
}

interface EndpointSlice {
  readonly addressType?: string
  readonly endpoints?: readonly { readonly addresses?: readonly string[] | null }[] | null
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[] | null
}

function endpointSliceCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { addressType = '', endpoints, ports } = object as unknown as EndpointSlice
  return [
    nameOf(object),
    addressType,
    listOrUnset((ports ?? []).map(({ name, port }) => (port ?? name ?? '*').toString())),
    listOrUnset((endpoints ?? []).flatMap(({ addresses }) => addresses ?? [])),
    ageOf(object, nowMs),
  ]
}

function listOrUnset(items: readonly string[]): string {
  const text = shortenedList(items)
  return text === '' ? '<unset>' : text
}
