import { virtualHost } from 'setpoint/host'
import { expect, test } from 'vitest'
import type { CommandInput } from '../command/index.ts'
import { RecordingTerminal } from '../system/testdata/recording-terminal.ts'
import { nodesOption } from './nodes-option.ts'

async function nodesOf(options: Readonly<Record<string, string>>, images = ''): Promise<unknown> {
  const host = virtualHost({ seed: 1, files: { '/project/images.yaml': images } })
  const input: CommandInput = {
    arguments: [],
    has: (name) => name in options,
    value: (name) => options[name],
    values: () => [],
  }
  const signal = new AbortController().signal
  return nodesOption({ host, terminal: new RecordingTerminal(), folder: '/project', signal }, input)
}

test('nodes are counted, or there are none', async () => {
  expect(await nodesOf({})).toBeUndefined()
  expect(await nodesOf({ nodes: '5' })).toBe(5)
  expect(await nodesOf({ nodes: 'off' })).toBe('off')
  await expect(nodesOf({ nodes: 'many' })).rejects.toThrow('--nodes is many, not a number of nodes')
})

test('a file of images that cannot be read is told with its name', async () => {
  await expect(nodesOf({ images: 'images.yaml' }, 'a: [')).rejects.toThrow('/project/images.yaml: ')
  await expect(nodesOf({ images: 'images.yaml' }, 'a: 3')).rejects.toThrow('a has no command')
})

test('programs and scripts beside the file of images are found from anywhere', async () => {
  const images = [
    "cache*: { command: cached, lastArgs: ['-l', $(POD_IP)] }",
    'tool: { command: ./bin/tool }',
    'operator: { command: [node, --enable-source-maps, ./dist/operator.mjs, .hidden] }',
  ].join('\n')
  expect(await nodesOf({ images: 'images.yaml' }, images)).toEqual({
    process: {
      images: {
        'cache*': { command: ['cached'], lastArgs: ['-l', '$(POD_IP)'] },
        tool: { command: ['/project/bin/tool'] },
        operator: {
          command: ['node', '--enable-source-maps', '/project/dist/operator.mjs', '.hidden'],
        },
      },
    },
  })
})

test('a file of images that says no program is refused with an example', async () => {
  await expect(nodesOf({ images: 'images.yaml' }, 'cache: { args: [a] }')).rejects.toThrow(
    '/project/images.yaml: cache has no command',
  )
  await expect(nodesOf({ images: 'images.yaml' }, '')).rejects.toThrow('there are no images in it')
})
