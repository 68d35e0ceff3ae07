vim9script

import './harness.vim'

const Test = harness.Test
const Same = harness.Same
const Keys = harness.Keys

# `shown`, or why not.
def Show(child: dict<any>, path: string, position: dict<number> = {}): string
  if empty(child.sent)
    harness.Start(child)
  endif
  const answer = harness.Ask(child, 'companion/openFile', extend({path: path}, position))
  return has_key(answer, 'error') ? answer.error.message : 'shown'
enddef

# The file and the cursor in every window of the tab, and which window is the current one.
def Windows(child: dict<any>): list<string>
  return harness.Eval(child, 'map(tabpagebuflist(), {n, b -> printf("%s%s:%d:%d", n + 1 == winnr() ? "*" : "", '
    .. 'fnamemodify(bufname(b), ":t"), line(".", win_getid(n + 1)), col(".", win_getid(n + 1)))})')
enddef

def Edit(child: dict<any>, name: string, content: string)
  harness.Do(child, 'edit ' .. fnameescape(harness.File(child, name, content)))
enddef

Test('a file is shown where the user reads, at a position in UTF-16 units', (child) => {
  Edit(child, 'one.txt', "1\n")
  const path = harness.File(child, 'two ä #%[.txt', "a\n😀é x\nc\n")
  Same(Show(child, path, {line: 2, character: 5}), 'shown')
  Same(Windows(child), ['*two ä #%[.txt:2:8'])
  Same(Show(child, path, {line: 99, character: 99}), 'shown')
  Same(Windows(child), ['*two ä #%[.txt:3:1'])
  Same(Show(child, path), 'shown')
  Same(Windows(child), ['*two ä #%[.txt:3:1'])
})

Test('it is shown next to a terminal, in which the user goes on typing', (child) => {
  Edit(child, 'one.txt', "1\n")
  Keys(child, ':terminal cat\<CR>')
  harness.Until(child, 'mode() ==# "t"')
  Same(Show(child, harness.File(child, 'two.txt', "1\n2\n"), {line: 2}), 'shown')
  Same(harness.Eval(child, 'mode()'), 't')
  Same(Windows(child)[1], 'two.txt:2:1')
})

Test('without a window for it there is a new one, which is not like the strange one it is made from', (child) => {
  harness.Do(child, 'set number')
  Keys(child, ':terminal ++curwin cat\<CR>')
  harness.Until(child, 'mode() ==# "t"')
  Same(Show(child, harness.File(child, 'two.txt', "1\n2\n"), {line: 2}), 'shown')
  Same(harness.Eval(child, '[mode(), winnr(), getwinvar(1, "&number")]'), ['t', 2, 1])
  Same(Windows(child)[0], 'two.txt:2:1')
})

Test('it does not replace what the user is writing', (child) => {
  Edit(child, 'one.txt', "1\n")
  Keys(child, 'i')
  Same(Show(child, harness.File(child, 'two.txt', "1\n2\n"), {line: 2}), 'shown')
  Same(harness.Eval(child, 'mode()'), 'i')
  Same(Windows(child), ['two.txt:2:1', '*one.txt:1:1'])
})

Test('the cursor stays where the user is writing, also in the file that is shown', (child) => {
  const path = harness.File(child, 'one.txt', "1\n2\n3\n")
  harness.Do(child, 'edit ' .. path)
  Keys(child, 'A!')
  Same(Show(child, path), 'shown')
  Same(Windows(child), ['*one.txt:1:3'])
  Same(Show(child, path, {line: 3}), 'shown')
  Same(Show(child, path, {line: 2}), 'shown')
  Same(Windows(child), ['one.txt:2:1', '*one.txt:1:3'])
  Keys(child, '!')
  Same(harness.Eval(child, '[mode(), getline(".")]'), ['i', '1!!'])
})

Test('a buffer with unsaved edits gives way, and keeps them', (child) => {
  Edit(child, 'one.txt', "1\n")
  Keys(child, 'Amine\<Esc>')
  Same(Show(child, harness.File(child, 'two.txt', "1\n2\n")), 'shown')
  Same(harness.Eval(child, '[getbufline("one.txt", 1), getbufvar("one.txt", "&modified")]'), [['1mine'], 1])
})

Test('it does not replace a diff', (child) => {
  Edit(child, 'one.txt', "1\n")
  harness.Do(child, 'diffsplit ' .. harness.File(child, 'three.txt', "3\n"))
  Same(Show(child, harness.File(child, 'two.txt', "1\n2\n")), 'shown')
  Same(harness.Eval(child, 'map(tabpagebuflist(), {n, _ -> getwinvar(n + 1, "&diff")})'), [0, 1, 1])
})

Test('a file that is open in another Vim is shown without a question', (child) => {
  const path = harness.File(child, 'two.txt', "1\n2\n")
  const other = harness.Child()
  const swap = printf('set directory=%s swapfile updatecount=200', child.folder)
  harness.Do(other, swap .. ' | edit ' .. path)
  Keys(other, 'ix\<Esc>:preserve\<CR>')
  harness.Do(child, swap)
  Same(Show(child, path, {line: 2}), 'shown')
  Same(harness.Eval(child, 'mode(1)'), 'n')
  Same(Windows(child), ['*two.txt:2:1'])
  harness.Stop(other)
})

Test('in the middle of something it is refused, with the reason', (child) => {
  harness.Start(child)
  Keys(child, ':echo ')
  Same(Show(child, harness.File(child, 'two.txt', "1\n")), 'the user is in the middle of something')
})

def Diagnostics(child: dict<any>, params: dict<any>): any
  if empty(child.sent)
    harness.Start(child)
  endif
  const answer = harness.Ask(child, 'companion/diagnostics', params)
  return has_key(answer, 'error') ? answer.error.message : answer.result.diagnostics
enddef

Test('list items with a type are reported, for one file or for all, counted from 1 in UTF-16 units', (child) => {
  const one = harness.File(child, 'one.txt', "😀é x\n")
  const two = harness.File(child, 'two.txt', "2\n")
  harness.Do(child, 'edit ' .. one)
  harness.Do(child, printf('call setloclist(0, %s)', string([
    {bufnr: 1, lnum: 1, col: 5, end_lnum: 1, end_col: 7, type: 'E', text: ' wrong', nr: 2304}])))
  harness.Do(child, 'edit ' .. one .. ' | split | lopen')
  harness.Do(child, printf('call setqflist(%s)', string([
    {filename: two, lnum: 1, type: 'w', text: 'hm'}, {filename: two, lnum: 1, text: 'found by a search'}])))
  const found = {path: one, line: 1, character: 3, endLine: 1, endCharacter: 4, severity: 'error', message: 'wrong', code: 2304}
  Same(Diagnostics(child, {path: one}), [found])
  Same(mapnew(Diagnostics(child, {}), (_, each) => each.severity)->sort(), ['error', 'warning'])
  Same(Diagnostics(child, {path: '/none'}), [])
})

Test('items of a compiler are reported, and items of a search are not', (child) => {
  const path = harness.File(child, 'one.c', "int x\n")
  const output = harness.File(child, 'output', printf("cc one.c\n%s:1:5: expected ;\n", path))
  harness.Do(child, 'edit ' .. path)
  harness.Do(child, 'set makeprg=cat\ ' .. output .. ' | silent make!')
  Same(Diagnostics(child, {}), [{path: path, line: 1, character: 5, severity: 'error', message: 'expected ;'}])
  harness.Do(child, 'silent vimgrep /int/ %')
  Same(harness.Eval(child, 'len(getqflist())'), 1)
  Same(Diagnostics(child, {}), [])
})

Test('a function of the user may return them instead', (child) => {
  const path = harness.File(child, 'one.txt', "1\n")
  harness.Do(child, printf('let g:ide_companion.diagnostics = {-> [{"filename": %s, "lnum": 1, "col": 1, "type": "H", "text": "so"}]}', string(path)))
  Same(Diagnostics(child, {path: path}), [{path: path, line: 1, character: 1, severity: 'hint', message: 'so'}])
  harness.Do(child, 'let g:ide_companion.diagnostics = {-> execute("throw \"no luck\"")}')
  Same(Diagnostics(child, {path: path}), 'no luck')
})
