/**
 * Runs compiled programs under Node on another kernel, in QEMU. In software (TCG): slow, so that it
 * tells how the kernel behaves, not how fast.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { ENDED, makeInitramfs } from './initramfs.ts'

export type Guest = {
  readonly kernel: string
  /** Compiled files, run as one program. */
  readonly programs: readonly string[]
  readonly timeoutMs: number
}

/** The program's exit code, undefined when the guest ended without it, and what the guest printed. */
export async function runInGuest({
  kernel,
  programs,
  timeoutMs,
}: Guest): Promise<{ readonly code: number | undefined; readonly output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'mbcas-guest-'))
  try {
    const initramfs = makeInitramfs(folder, programs)
    const output = await boot(kernel, initramfs, timeoutMs)
    const code = new RegExp(`^${ENDED} (\\d+)$`, 'm').exec(output)?.[1]
    return { code: code === undefined ? undefined : Number(code), output }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const machine =
  '-accel tcg,thread=multi -cpu max -smp 2 -m 1024 -no-reboot -display none -monitor none -serial stdio'

async function boot(kernel: string, initramfs: string, timeoutMs: number): Promise<string> {
  const files = ['-kernel', kernel, '-initrd', initramfs]
  const append = ['-append', 'console=ttyS0 quiet panic=-1 psi=1']
  const qemu = spawn('qemu-system-x86_64', [...machine.split(' '), ...files, ...append], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  let output = ''
  for (const stream of [qemu.stdout, qemu.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  await new Promise((resolve, reject) => {
    qemu.on('error', reject)
    qemu.on('close', resolve)
  })
  return output.replaceAll('\r', '')
}
