import { expect, test } from 'vitest'
import { Deployment, listTypesOf, Secret, Service } from './index.ts'

test('merges containers of a pod template by name, and their ports by number and protocol', () => {
  const template = listTypesOf(Deployment)?.spec?.fields?.template?.fields
  const containers = template?.spec?.fields?.containers
  expect(containers).toMatchObject({
    list: 'map',
    keys: ['name'],
    patch: 'merge',
    mergeKey: 'name',
  })
  expect(containers?.items?.fields?.ports).toEqual({
    list: 'map',
    keys: ['containerPort', 'protocol'],
    patch: 'merge',
    mergeKey: 'containerPort',
  })
})

test('distinguishes atomic maps, sets and fields of strategic merge patches', () => {
  expect(listTypesOf(Service)?.spec?.fields?.selector).toEqual({ atomic: true })
  expect(listTypesOf(Deployment)?.spec?.fields?.strategy).toEqual({ patch: 'retainKeys' })
  expect(listTypesOf(Deployment)?.metadata?.fields?.finalizers).toEqual({
    list: 'set',
    patch: 'merge',
  })
})

test('omits lists that are replaced as a whole', () => {
  const template = listTypesOf(Deployment)?.spec?.fields?.template?.fields
  const container = template?.spec?.fields?.containers?.items?.fields
  expect(container).toBeDefined()
  expect(container).not.toHaveProperty('command')
})

test('has a table for every kind with metadata, and none for a CRD', () => {
  expect(listTypesOf(Secret)?.metadata?.fields).toHaveProperty('ownerReferences')
  expect(listTypesOf({ apiVersion: 'example.com/v1', kind: 'Widget' })).toBeUndefined()
})
