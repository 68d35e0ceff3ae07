vim9script

import './harness.vim'

const Test = harness.Test
const Same = harness.Same
const Keys = harness.Keys
const Until = harness.Until
const Propose = harness.Propose
const SentSo = harness.SentSo
const UntilGone = harness.UntilGone
const Show = harness.Show

Test('unsaved edits of the file are mentioned and not touched', (child) => {
  const path = harness.File(child, 'a b#%[.txt', "old\n")
  harness.Eval(child, printf('execute("edit " .. fnameescape(%s), "")', string(path)))
  Keys(child, 'Aunsaved\<Esc>')
  Propose(child, {filePath: path, label: 'a b#%[.txt', original: "old\n"})
  Show(child)
  harness.Eventually(child, 'label', () => harness.Screen(child) =~ 'a b#%\[.txt on disk .*unsaved changes')
  Keys(child, ':q\<CR>')
  SentSo(child, 'companion/diffRejected', 1)
  UntilGone(child)
  Same(harness.Eval(child, '[getline("."), &modified]'), ['oldunsaved', 1])
})

Test('the buffer of an accepted file follows what its agent writes', (child) => {
  const path = harness.File(child, 'a.txt', "old\n")
  harness.Do(child, 'edit ' .. path)
  Propose(child, {filePath: path, newContent: "new\n", original: "old\n"})
  harness.Do(child, 'IdeCompanion accept')
  UntilGone(child)
  writefile(['new and longer'], path)
  harness.TellWritten(child, path, false)
  Same(harness.Eval(child, 'getline(".")'), 'old')
  harness.TellWritten(child, path)
  Until(child, 'getline(".") == "new and longer"')
  Same(harness.Eval(child, 'mode(1)'), 'n')
})

Test('the buffer of an accepted file follows its agent, also when it was opened through a link', (child) => {
  const path = harness.File(child, 'a [x] $b.txt', "old\n")
  const link = child.folder .. '/link [y] $b.txt'
  system(printf("ln -s '%s' '%s'", path, link))
  harness.Do(child, printf("execute 'edit' fnameescape('%s')", link))
  child.OnDecision = () => {
    writefile(['123'], path)
  }
  Propose(child, {filePath: path, newContent: "123\n", original: "old\n"})
  harness.Do(child, 'IdeCompanion accept')
  Until(child, 'getline(".") == "123"')
})

Test('a buffer with unsaved edits does not follow', (child) => {
  const path = harness.File(child, 'a.txt', "old\n")
  harness.Do(child, 'edit ' .. path)
  Keys(child, 'A!\<Esc>')
  Propose(child, {filePath: path, newContent: "new\n", original: "old\n"})
  harness.Do(child, 'IdeCompanion accept')
  UntilGone(child)
  writefile(['new and longer'], path)
  harness.TellWritten(child, path)
  Until(child, 'execute("messages") =~ "has written"')
  Same(harness.Eval(child, '[getline("."), mode(1)]'), ['old!', 'n'])
})

Test('the buffer of an accepted file follows its agent while the user edits another one', (child) => {
  const path = harness.File(child, 'a.txt', "old\n")
  harness.Do(child, 'edit ' .. path)
  harness.Do(child, 'split ' .. path .. '.other')
  Keys(child, 'imine\<Esc>')
  Propose(child, {filePath: path, newContent: "new\n", original: "old\n"})
  harness.Do(child, 'IdeCompanion accept')
  UntilGone(child)
  writefile(['new and longer'], path)
  harness.TellWritten(child, path)
  Until(child, printf('getbufline(%s, 1) == ["new and longer"]', string(path)))
  Same(harness.Eval(child, '[getline(1), &modified, mode(1)]'), ['mine', 1, 'n'])
})

for options in ['autoread', 'noautoread', 'nomodifiable nowrite']
  const given = options
  Test('a file that its agent writes at once is current in its buffer with ' .. given, (child) => {
    const path = harness.File(child, 'a.txt', "old\n")
    harness.Do(child, 'set ' .. given)
    harness.Do(child, 'edit ' .. path)
    child.OnDecision = () => {
      writefile(['123'], path)
    }
    Same(Propose(child, {filePath: path, newContent: "123\n", original: "old\n"}).result, null)
    Show(child)
    Keys(child, 'ZZ')
    Until(child, 'getline(".") == "123" && !&modified')
    Same(harness.Eval(child, 'mode(1)'), 'n')
  })
endfor

Test('the buffer of a file that was not there follows what its agent writes', (child) => {
  const path = child.folder .. '/b.txt'
  harness.Do(child, 'edit ' .. path)
  child.OnDecision = () => {
    writefile(['new'], path)
  }
  Propose(child, {filePath: path, newContent: "new\n", original: null})
  harness.Do(child, 'IdeCompanion accept')
  Until(child, 'getline(".") == "new" && !&modified')
})

Test('the window of a file that was not there stays while the user is in another one', (child) => {
  const path = child.folder .. '/b.txt'
  harness.Do(child, 'edit ' .. path)
  Keys(child, ':terminal cat\<CR>')
  Until(child, 'mode() ==# "t"')
  child.OnDecision = () => {
    writefile(['new'], path)
  }
  Propose(child, {filePath: path, newContent: "new\n", original: null})
  Keys(child, '\<C-W>:IdeCompanion accept\<CR>')
  Until(child, printf('getbufline(%s, 1) == ["new"]', string(path)))
  Same(harness.Eval(child, printf('[mode(), len(win_findbuf(bufnr(%s)))]', string(path))), ['t', 1])
})

for event in ['WinEnter', 'BufEnter', 'TabEnter', 'BufLeave', 'TabLeave', 'WinClosed', 'BufWinLeave']
  const name = event
  Test('an acceptance is done as a whole when an autocommand of the user fails for ' .. name, (child) => {
    const path = harness.File(child, 'a.txt', "old\n")
    harness.Do(child, 'edit ' .. path)
    child.OnDecision = () => {
      writefile(['1234'], path)
    }
    Propose(child, {filePath: path, newContent: "1234\n", original: "old\n"})
    Show(child)
    harness.Do(child, 'autocmd ' .. name .. ' * throw "no luck"')
    Keys(child, 'ZZ')
    UntilGone(child)
    Until(child, 'getline(".") == "1234" && !&modified')
    Same(harness.Eval(child, 'mode(1)'), 'n')
  })
endfor

# An accepted proposal was written under unsaved changes. Returns the path of the file.
def Conflict(child: dict<any>): string
  const path = harness.File(child, 'a.txt', "one\n\ntwo\n")
  harness.Do(child, 'edit ' .. path)
  Keys(child, 'ggImy \<Esc>')
  child.OnDecision = () => {
    writefile(['one', '', '2'], path)
  }
  Propose(child, {filePath: path, newContent: "one\n\n2\n", original: "one\n\ntwo\n"})
  harness.Do(child, 'IdeCompanion accept')
  Until(child, 'execute("messages") =~ "Gemini CLI has written main.ts, .*:IdeCompanion merge"')
  return path
enddef

Test(':w of unsaved changes does not write over what was accepted, and asks nothing', (child) => {
  const path = Conflict(child)
  Keys(child, ':w\<CR>')
  Until(child, 'execute("messages") =~ ":IdeCompanion merge, or :w! "')
  Same(readfile(path), ['one', '', '2'])
  Keys(child, ':checktime\<CR>')
  Same(harness.Eval(child, '[mode(1), getline(1), &modified]'), ['n', 'my one', 1])
  Keys(child, ':w ' .. path .. '.mine\<CR>')
  Until(child, printf('filereadable("%s.mine")', path))
  Same([readfile(path), readfile(path .. '.mine')], [['one', '', '2'], ['my one', '', 'two']])
  Keys(child, ':w!\<CR>')
  Until(child, '!&modified')
  Same(readfile(path), ['my one', '', 'two'])
  Keys(child, '0x:w\<CR>') # all is as before
  Until(child, '!&modified')
  Same(readfile(path), ['y one', '', 'two'])
})

Test('unsaved changes outlast what was accepted while another buffer is the current one', (child) => {
  const path = Conflict(child)
  harness.Do(child, 'split ' .. path .. '.other')
  Keys(child, ':checktime\<CR>')
  const state = printf('[mode(1), getbufline(%s, 1), getbufvar(%s, "&modified")]', string(path), string(path))
  Same(harness.Eval(child, state), ['n', ['my one'], 1])
})

Test('unsaved changes that cannot be written over what was accepted stay in the buffer', (child) => {
  const path = Conflict(child)
  harness.Do(child, 'autocmd BufReadPost * throw "no luck"')
  Keys(child, ':w!\<CR>')
  Until(child, 'execute("messages") =~ "no luck"')
  Until(child, 'getline(1, "$") == ["my one", "", "two"] && &modified')
  Same(readfile(path), ['one', '', '2'])
})

Test('unsaved changes are written over what was accepted in the format of their buffer', (child) => {
  const path = Conflict(child)
  harness.Do(child, 'set fileformat=dos fileencoding=latin1 noendofline nofixendofline')
  Keys(child, 'A \u00e9\<Esc>:w!\<CR>')
  Until(child, '!&modified')
  Same(readblob(path), 0z6D79206F6E6520E9.0D0A.0D0A.74776F)
})

Test('with an alternate file, unsaved changes are written without an error', (child) => {
  harness.Do(child, 'edit ' .. harness.File(child, 'alternate.txt', "x\n"))
  const path = Conflict(child)
  Keys(child, ':w!\<CR>')
  Until(child, '!&modified')
  Until(child, 'empty(timer_info())')
  Same(harness.Eval(child, 'execute("messages") =~ "E939"'), 0)
  Same(readfile(path), ['my one', '', 'two'])
})

Test(':e! takes what was accepted', (child) => {
  const path = Conflict(child)
  Keys(child, ':e!\<CR>Gx:w\<CR>')
  Until(child, '!&modified')
  Same(readfile(path), ['one', '', ''])
})

Test(':IdeCompanion merge puts what was accepted into the buffer, and :w saves the result', (child) => {
  const path = Conflict(child)
  child.results['companion/merge'] = {content: "my one\n\n2\n", isClean: true}
  harness.Do(child, 'hide enew')
  harness.Do(child, 'IdeCompanion merge')
  Until(child, 'execute("messages") =~ "Merged: :w saves it, u undoes that"')
  Same(SentSo(child, 'companion/merge', 1), [{filePath: path, before: "one\n\ntwo\n", content: "my one\n\ntwo\n"}])
  Same(harness.Eval(child, '[bufname(), getline(1, "$")]'), [path, ['my one', '', '2']])
  Keys(child, ':w\<CR>')
  Until(child, '!&modified')
  Same(readfile(path), ['my one', '', '2'])
  Keys(child, '0x:w\<CR>') # all is as before
  Until(child, '!&modified')
  Same(len(readfile(path)), 3)
})

Test('changes that are apart since an earlier acceptance are merged with the text of then', (child) => {
  const path = Conflict(child)
  Propose(child, {filePath: path, newContent: "one\n\n2\n", original: "one\n\n3\n", id: '2'})
  harness.Do(child, 'IdeCompanion accept')
  SentSo(child, 'companion/diffAccepted', 2)
  UntilGone(child)
  child.results['companion/merge'] = {content: "<<<<<<< on disk\n", isClean: false}
  harness.Do(child, 'IdeCompanion merge')
  Until(child, 'execute("messages") =~ "Both have changed the same lines: choose between the versions, then :w"')
  Same(SentSo(child, 'companion/merge', 1)[0].before, "one\n\ntwo\n")
})
