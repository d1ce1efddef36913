import { expect, test } from 'vitest'
import { Deployment, listTypesOf, Secret, Service } from './index.ts'

test('merges containers of a pod template by name, and their ports by number and protocol', () => {
  const template = listTypesOf(Deployment).spec?.fields?.template?.fields
  const containers = template?.spec?.fields?.containers
  expect(containers).toMatchObject({
    list: 'map',
    keys: ['name'],
  })
  expect(containers?.items?.fields?.ports).toEqual({
    list: 'map',
    keys: ['containerPort', 'protocol'],
  })
})

test('knows atomic maps and sets', () => {
  expect(listTypesOf(Service).spec?.fields?.selector).toEqual({ atomic: true })
  expect(listTypesOf(Deployment).metadata?.fields?.finalizers).toEqual({ list: 'set' })
})

test('omits lists that are replaced as a whole', () => {
  const template = listTypesOf(Deployment).spec?.fields?.template?.fields
  const container = template?.spec?.fields?.containers?.items?.fields
  expect(container).toBeDefined()
  expect(container).not.toHaveProperty('command')
})

test('merges the lists of metadata in the same way for all kinds', () => {
  const ofWidgets = listTypesOf({ apiVersion: 'example.com/v1', kind: 'Widget' })
  expect(ofWidgets).toEqual({
    metadata: {
      fields: {
        finalizers: { list: 'set' },
        ownerReferences: { list: 'map', keys: ['uid'] },
      },
    },
  })
  expect(listTypesOf(Secret)).toEqual(ofWidgets)
})
