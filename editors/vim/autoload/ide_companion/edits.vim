vim9script
# Recovered edits: text that the user typed in proposals and that is in no file. The companion stores them until their
# file holds them or the user discards them.

import autoload 'ide_companion/label.vim' as bar
import autoload 'ide_companion/roots.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/server.vim'
import autoload 'ide_companion/text.vim'
import autoload 'ide_companion/windows.vim'

# The open comparison: { edits, on_disk, mine }, the last two its windows.
var view: dict<any> = {}

# `companion/editsRecovered`
export def Recovered(params: dict<any>)
  say.Warn(printf(':IdeCompanion edits   Your text is not in %s: %s', params.label, params.reason))
enddef

def IsHere(edits: dict<any>): bool
  for root in roots.Current()
    if stridx(edits.filePath, root .. '/') == 0
      return true
    endif
  endfor
  return false
enddef

# Shows at the start that this project has recovered edits, as after a crash.
export def Announce(all: list<dict<any>>)
  const here = all->copy()->filter((_, edits) => IsHere(edits))
  if len(here) == 1
    Recovered(here[0])
  elseif len(here) > 1
    say.Warn(printf(':IdeCompanion edits   %d texts of yours are not in their files', len(here)))
  endif
enddef

# `OnResult` gets the result; a failure is shown.
def Ask(method: string, params: dict<any>, OnResult: func(any))
  server.Request(method, params, (result, failure) => {
    if failure != null
      say.Error(failure.message)
    else
      OnResult(result)
    endif
  })
enddef

export def Close()
  for window in [view.on_disk, view.mine]
    if windows.IsOpen(window)
      win_execute(window, 'silent! close')
    endif
  endfor
enddef

# Puts the text into the buffer of its file, as one unsaved change.
export def Restore()
  Close()
  execute 'hide edit' fnameescape(view.edits.filePath)
  text.Replace(view.edits.content)
  say.Info(':w saves your text, u undoes that: ' .. view.edits.label)
enddef

export def Discard()
  const edits = view.edits
  if confirm(printf('Discard your text for %s for good?', edits.label), "&Discard\n&Cancel", 2) == 1
    Ask('companion/discardEdits', {id: edits.id}, (_) => {
      Close()
      say.Info(printf('Discarded: %s.', edits.label))
    })
  endif
enddef

# Shows one side of the comparison in a new window, and returns that.
def Side(command: string, whose: string, edits: dict<any>, content: string): number
  execute 'silent keepalt' command text.NewBuffer(whose, edits.label, content)
  windows.ForgetOptions()
  setlocal bufhidden=wipe nomodifiable
  diffthis
  nnoremap <buffer> <nowait> r <Cmd>call ide_companion#edits#Restore()<CR>
  nnoremap <buffer> <nowait> d <Cmd>call ide_companion#edits#Discard()<CR>
  nnoremap <buffer> <nowait> q <Cmd>call ide_companion#edits#Close()<CR>
  return win_getid()
enddef

# Opens a tab with the file on disk next to the text.
def Compare(edits: dict<any>)
  const path: string = edits.filePath
  const content = filereadable(path) ? readfile(path, 'b')->join("\n") : ''
  view = {edits: edits}
  view.mine = Side('tab sbuffer', 'Your text', edits, edits.content)
  view.on_disk = Side('leftabove vertical sbuffer', 'On disk', edits, content)
  win_gotoid(view.mine)
  wincmd =
  bar.SetTexts(view.on_disk, [edits.label .. ' on disk'])
  bar.SetTexts(view.mine, ['r restores', 'd discards', 'q closes'])
  say.Info(edits.reason)
enddef

def Open(edits: dict<any>)
  Ask('companion/readEdits', {id: edits.id}, (result) => {
    Compare(result)
  })
enddef

def ToLine(edits: dict<any>): string
  const time = strftime('%d %b %H:%M', edits.at / 1000)
  return printf('%s  %s, %s: %s', edits.label, edits.agent, time, edits.reason)
enddef

def Choose(all: list<dict<any>>)
  popup_menu(all->mapnew((_, edits) => ToLine(edits)), {
    title: ' Recovered edits ',
    callback: (_, choice) => {
      if choice > 0
        Open(all[choice - 1])
      endif
    },
  })
enddef

# Lists them, and compares the chosen one with its file.
export def Show()
  Ask('companion/edits', {}, (result) => {
    const all: list<dict<any>> = result.edits
    if empty(all)
      say.Info('There are no recovered edits.')
    elseif len(all) == 1
      Open(all[0])
    else
      Choose(all)
    endif
  })
enddef

# Compiled later, in a callback, the lines of a lambda would scroll the screen.
defcompile
