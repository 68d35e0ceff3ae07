vim9script

import './harness.vim'

const Test = harness.Test
const Same = harness.Same

def Open(child: dict<any>, ...paths: list<string>)
  for path in paths
    harness.Eval(child, printf('execute("edit " .. fnameescape(%s), "")', string(path)))
  endfor
enddef

# Waits for a context that fits. Returns it.
def Context(child: dict<any>, what: string, Fits: func(dict<any>): bool): dict<any>
  var found: dict<any> = {}
  harness.Eventually(child, what, () => {
    const messages = harness.Sent(child, 'companion/context')
    found = get(messages, -1, {})
    return !empty(found) && Fits(found)
  })
  return found
enddef

def FileOf(sent: dict<any>, path: string): dict<any>
  return filter(copy(sent.files), (_, file) => file.path ==# path)[0]
enddef

Test('the file, its cursor and the other files are sent', (child) => {
  const one = harness.File(child, 'one.txt', "1\n")
  const two = harness.File(child, '#%[ 😀.txt', "one\ntwo\n")
  Open(child, one, two)
  harness.Keys(child, 'jl')
  const sent = Context(child, 'two files', (context) => len(context.files) == 2)
  Same(sent.activePath, two)
  Same(FileOf(sent, two).cursor, {line: 2, character: 2})
  Same(FileOf(sent, two).focusedAt >= FileOf(sent, one).focusedAt, true)
  Same(abs(FileOf(sent, two).focusedAt / 1000 - localtime()) < 60, true)
})

Test('a file that its user saves is reported', (child) => {
  const one = harness.File(child, 'one.txt', "1\n")
  Open(child, one)
  Context(child, 'a file', (context) => len(context.files) == 1)
  harness.Keys(child, "ix\<Esc>:write\<CR>")
  harness.Eventually(child, 'a saved file', () => !empty(harness.Sent(child, 'companion/saved')))
  Same(harness.Sent(child, 'companion/saved'), [{path: one}])
})

Test('a closed file is gone, and so are help, scratch and unnamed buffers, and folders', (child) => {
  const one = harness.File(child, 'one.txt', "1\n")
  const two = harness.File(child, 'two.txt', "2\n")
  Open(child, one, two)
  Context(child, 'two files', (context) => len(context.files) == 2)
  harness.Do(child, 'help | only | new | execute "bdelete" bufnr(' .. string(two) .. ') | runtime plugin/netrwPlugin.vim')
  harness.Do(child, 'edit ' .. child.folder)
  const sent = Context(child, 'one file', (context) => len(context.files) == 1)
  Same(sent.files[0].path, one)
})

Test('a selection is sent, and stays while the user is in a terminal', (child) => {
  Open(child, harness.File(child, 'one.txt', "one\ntwo\n"))
  harness.Keys(child, 'v$')
  Context(child, 'selection', (context) => get(context.files[0], 'selectedText', '') == "one\n")
  const before = len(harness.Sent(child, 'companion/context'))
  harness.Keys(child, ':\<C-U>terminal sleep 100\<CR>')
  harness.Until(child, 'mode() ==# "t"')
  harness.Do(child, 'let g:later = timer_start(60, {-> execute("legacy let g:passed = 1")})')
  harness.Until(child, 'exists("g:passed")')
  const sent = harness.Sent(child, 'companion/context')[-1]
  Same(len(sent.files), 1)
  Same(len(harness.Sent(child, 'companion/context')) >= before, true)
  Same(sent.activePath, sent.files[0].path)
})

Test('the same state is not sent twice, and a moving cursor sends at most every 50 ms', (child) => {
  Open(child, harness.File(child, 'one.txt', repeat("x\n", 500)))
  Context(child, 'file', (context) => len(context.files) == 1)
  harness.Keys(child, 'j')
  Context(child, 'line 2', (context) => context.files[0].cursor.line == 2)
  const before = len(harness.Sent(child, 'companion/context'))
  harness.Keys(child, 'jk')
  harness.Keys(child, repeat('j', 300))
  Context(child, 'line 302', (context) => context.files[0].cursor.line == 302)
  Same(len(harness.Sent(child, 'companion/context')) < before + 100, true)
})

Test('the folders follow the working directory', (child) => {
  mkdir(child.folder .. '/app/deep ü', 'p')
  harness.Start(child)
  harness.Do(child, 'cd ' .. fnameescape(child.folder .. '/app/deep ü'))
  const event = harness.SentSo(child, 'workspace/didChangeWorkspaceFolders', 1)[0].event
  Same(event.added, [{uri: child.folder .. '/app/deep ü', name: 'deep ü'}])
  Same(len(event.removed), 1)
})

def Pause(child: dict<any>)
  harness.Do(child, 'unlet! g:passed')
  harness.Do(child, 'let g:later = timer_start(120, {-> execute("legacy let g:passed = 1")})')
  harness.Until(child, 'exists("g:passed")')
enddef

const ways = {
  'CTRL-W': '\<C-W>w',
  'a command': ':\<C-U>terminal sleep 100\<CR>',
  ':IdeCompanion run': ':IdeCompanion run gemini\<CR>',
}
for [way, keys] in items(ways)
  Test('a selection reaches the prompt of an agent whose terminal is gone to by ' .. way, (child) => {
    Open(child, harness.File(child, 'one.txt', "one\ntwo\n"))
    harness.Do(child, 'terminal sleep 100')
    harness.Do(child, 'wincmd p')
    harness.Keys(child, 'v$')
    Context(child, 'selection', (context) => get(context.files[0], 'selectedText', '') == "one\n")
    Pause(child)
    const before = len(harness.Sent(child, 'companion/context'))
    harness.Keys(child, keys)
    if way == ':IdeCompanion run'
      Pause(child) # the companion starts
      harness.TellStatus(child, {env: {IDE_TEST: '1'}})
    endif
    harness.Until(child, '&buftype == "terminal"')
    Pause(child)
    for sent in harness.Sent(child, 'companion/context')[before :]
      Same(get(sent.files[0], 'selectedText', ''), "one\n")
    endfor
  })
endfor

for end in ['\<Esc>', ':\<Esc>', ':\<C-U>echo\<CR>']
  Test('a selection that its user ends is sent no more: ' .. end, (child) => {
    Open(child, harness.File(child, 'one.txt', "one\ntwo\n"))
    harness.Keys(child, 'v$')
    Context(child, 'selection', (context) => get(context.files[0], 'selectedText', '') == "one\n")
    harness.Keys(child, end)
    Context(child, 'no selection', (context) => !has_key(context.files[0], 'selectedText'))
  })
endfor

Test('the old side of a git diff is not sent as the file, nor is what is selected there', (child) => {
  Open(child, harness.File(child, 'one.txt', "one\ntwo\n"))
  Context(child, 'one file', (context) => len(context.files) == 1)
  harness.Do(child, 'leftabove vertical new')
  harness.Do(child, 'setlocal buftype=nofile')
  harness.Do(child, 'silent file fugitive:///app/.git//0/one.txt')
  harness.Do(child, "0put ='old'")
  harness.Keys(child, 'ggV')
  Pause(child)
  const sent = harness.Sent(child, 'companion/context')[-1]
  Same([len(sent.files), get(sent.files[0], 'selectedText', '')], [1, ''])
})
