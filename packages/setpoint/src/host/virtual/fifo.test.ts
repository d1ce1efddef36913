import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fifo } from './fifo.ts'

test('behaves like an array', () => {
  const action = fc.constantFrom('push', 'push', 'shift', 'pop', 'clear')
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
      const fifo = new Fifo<number>()
      let array: number[] = []
      for (const [index, name] of actions.entries()) {
        if (name === 'push') {
          fifo.push(index)
          array.push(index)
        } else if (name === 'clear') {
          fifo.clear()
          array = []
        } else expect(fifo[name]()).toBe(array[name]())
        expect([fifo.length, fifo.first, fifo.last]).toEqual([array.length, array[0], array.at(-1)])
      }
    }),
  )
})
