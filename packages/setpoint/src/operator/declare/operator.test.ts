import { expect, test } from 'vitest'
import { ConfigMap, Pod, Secret } from '../../kinds/index.ts'
import { operator } from './operator.ts'

const desired = () => ({ data: { a: '1' } })

test('takes a function, options and a function, or one object with both', () => {
  const options = { createOnly: true }
  const { children } = operator(Pod, { name: 'pods' })
    .child('plain', ConfigMap, desired)
    .child('with-options', ConfigMap, options, desired)
    .child('one-object', Secret, { ...options, desired } as never)
    .children('set', ConfigMap, { rollout: { maxUnavailable: 1 } }, () => ({})).declaration
  expect(children).toMatchObject([
    { name: 'plain', isSet: false, desired },
    { name: 'with-options', createOnly: true, desired },
    { name: 'one-object', createOnly: true, desired },
    { name: 'set', isSet: true, rollout: { maxUnavailable: 1 } },
  ])
})

test('refuses a child without a function', () => {
  expect(() =>
    operator(Pod, { name: 'pods' }).child('web', ConfigMap, { createOnly: true } as never),
  ).toThrow('the operator for Pod has no function that returns the desired state of its child web')
})
