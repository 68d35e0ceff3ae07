vim9script

import './harness.vim'

const Test = harness.Test
const Same = harness.Same

const texts = [
  '',
  "\n",
  "\n\n",
  'one',
  "one\n",
  "one\ntwo",
  "one\r\ntwo\r\n",
  "one\r\ntwo",
  "\r\n",
  "one\r\ntwo\n",
  "\none\r\n",
  "\uFEFFwith a mark\n",
  "\uFEFFwith a mark\r\nand returns\r\n",
  "tab\tand 😀\n",
  "lone\rreturn\n",
]

def Put(child: dict<any>, content: string)
  harness.Do(child, 'new | setlocal bufhidden=wipe')
  harness.Do(child, printf('call ide_companion#text#Put(bufnr(), json_decode(%s))', string(json_encode(content))))
enddef

def Get(child: dict<any>): string
  return harness.Eval(child, 'ide_companion#text#Get(bufnr())')
enddef

Test('a text comes back from a buffer byte for byte', (child) => {
  for content in texts
    Put(child, content)
    Same(Get(child), content)
    harness.Do(child, 'quit!')
  endfor
})

Test('what is typed into a text without a last newline leaves it without', (child) => {
  Put(child, "one\ntwo")
  harness.Keys(child, 'GAx\<Esc>')
  Same(Get(child), "one\ntwox")
})

Test('what is typed into an empty text ends with a newline', (child) => {
  Put(child, '')
  harness.Keys(child, 'ix\<Esc>')
  Same(Get(child), "x\n")
})

Test('a text whose lines were all deleted is empty', (child) => {
  Put(child, "one\ntwo\n")
  harness.Keys(child, 'ggdG')
  Same(Get(child), '')
})

Test('undo does not empty a text, and it is not modified', (child) => {
  Put(child, "one\r\n")
  Same(harness.Eval(child, '[&modified, getbufinfo("%")[0].changed, &fileformat]'), [0, 0, 'dos'])
  harness.Keys(child, 'u')
  Same(Get(child), "one\r\n")
  harness.Keys(child, 'Ax\<Esc>u')
  Same(Get(child), "one\r\n")
})
