import { describe, expect, it } from 'vitest'
import { builtinData } from '../../data/index.ts'
import { goTypesText, structOrderText } from './go-types.ts'

const orders = JSON.parse(structOrderText) as Record<string, number[]>
const typeNames = JSON.parse(goTypesText) as Record<string, Record<string, unknown>>
const { kinds, messages } = builtinData.proto()

function served(): Set<string> {
  const found = new Set<string>()
  const visit = (message: string): void => {
    if (found.has(message) || !Object.hasOwn(messages, message)) return
    found.add(message)
    for (const { type } of Object.values(messages[message] ?? {})) visit(type)
  }
  for (const byKind of Object.values(kinds)) Object.values(byKind).forEach(visit)
  return found
}

describe("the data from Go's sources", () => {
  it('describes structs that objects of served kinds can contain', () => {
    const known = served()
    const named = [...Object.keys(orders), ...Object.keys(typeNames)]
    expect(named.filter((message) => !known.has(message))).toEqual([])
  })

  it.each(Object.entries(orders))('lists every field of %s once', (message, order) => {
    const numbers = Object.keys(messages[message] ?? {})
    expect(order.map(String).toSorted()).toEqual(numbers.toSorted())
  })

  it('omits orders that equal the protobuf numbers', () => {
    const idle = Object.entries(orders).filter(
      ([message, order]) => order.join() === Object.keys(messages[message] ?? {}).join(),
    )
    expect(idle).toEqual([])
  })

  it('has types only for existing fields', () => {
    const unknown = Object.entries(typeNames).flatMap(([message, fields]) => {
      const names = new Set(Object.values(messages[message] ?? {}).map(({ name }) => name))
      return Object.keys(fields).filter((field) => !names.has(field))
    })
    expect(unknown).toEqual([])
  })
})
