import { expect, test } from 'vitest'
import { Deployment, listTypesOf, Secret, Service } from './index.ts'

test('the containers of a pod template merge by name, their ports by number and protocol', () => {
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

test('atomic maps, sets and fields that only a strategic merge treats specially are told apart', () => {
  expect(listTypesOf(Service)?.spec?.fields?.selector).toEqual({ atomic: true })
  expect(listTypesOf(Deployment)?.spec?.fields?.strategy).toEqual({ patch: 'retainKeys' })
  expect(listTypesOf(Deployment)?.metadata?.fields?.finalizers).toEqual({
    list: 'set',
    patch: 'merge',
  })
})

test('lists that are replaced as a whole are not mentioned', () => {
  const template = listTypesOf(Deployment)?.spec?.fields?.template?.fields
  const container = template?.spec?.fields?.containers?.items?.fields
  expect(container).toBeDefined()
  expect(container).not.toHaveProperty('command')
})

test('every kind with metadata has a table, a kind from a CRD has none', () => {
  expect(listTypesOf(Secret)?.metadata?.fields).toHaveProperty('ownerReferences')
  expect(listTypesOf({ apiVersion: 'example.com/v1', kind: 'Widget' })).toBeUndefined()
})
