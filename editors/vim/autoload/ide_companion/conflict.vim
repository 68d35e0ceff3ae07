vim9script
# A buffer with unsaved changes whose file an agent writes after an acceptance. Neither text may be lost: until the user
# has seen both, `:w` does not write, and no question offers to discard one of them.

import autoload 'ide_companion/comparison.vim'
import autoload 'ide_companion/label.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/text.vim'
import autoload 'ide_companion/windows.vim'

# By buffer: { agent, label, on_disk, window }. The last two are the buffer with the text of the file, and the window
# in which the user's is compared with it; 0 while they are not.
var held: dict<dict<any>> = {}

def CloseComparison(buffer: number, conflict: dict<any>)
  if conflict.on_disk > 0 && bufexists(conflict.on_disk) # 0 would be the alternate file
    execute 'silent noautocmd bwipeout!' conflict.on_disk
  endif
  if windows.IsOpen(conflict.window)
    EndDiff(conflict.window)
    if len(win_findbuf(buffer)) > 1
      win_execute(conflict.window, 'close')
    endif
  endif
enddef

# Turns the window into a plain window of a file again.
def EndDiff(window: number)
  label.Clear(window)
  win_execute(window, 'diffoff')
enddef

export def Release(buffer: number)
  const key = string(buffer)
  if has_key(held, key)
    const conflict = remove(held, key)
    execute printf('autocmd! ide_companion_conflict * <buffer=%d>', buffer)
    timer_start(0, (_) => {
      CloseComparison(buffer, conflict)
    })
  endif
enddef

# Writes the buffer over its file. Vim would ask about the file's time, also after `:w!`: so it reads the file first.
def WriteOver()
  const [view, lines] = [winsaveview(), getline(1, '$')]
  const format = [&fileformat, &fileencoding, &bomb, &endofline]
  try
    silent edit!
  finally
    # Also when an autocommand of the user fails.
    silent deletebufline('', 1, '$')
    setline(1, lines)
    [&l:fileformat, &l:fileencoding, &l:bomb, &l:endofline] = format
    winrestview(view)
  endtry
  write
enddef

# Returns what has failed, or nothing.
def Try(Act: func()): string
  try
    Act()
  catch
    return substitute(v:exception, '^Vim\%((\a\+)\)\=:', '', '')
  endtry
  return ''
enddef

# `:w other-file` writes a copy, with the autocommands of others.
def WriteCopy(buffer: number, target: string)
  execute printf('autocmd! ide_companion_conflict BufWriteCmd <buffer=%d>', buffer)
  const command = 'keepalt write' .. (v:cmdbang ? '! ' : ' ') .. fnameescape(target)
  const failure = Try(() => {
    execute command
  })
  Guard(buffer)
  if failure != ''
    say.Error(failure)
  endif
enddef

# Runs instead of writing.
def OnWrite()
  const buffer = str2nr(expand('<abuf>'))
  const target = expand('<afile>')
  const conflict = held[string(buffer)]
  if fnamemodify(target, ':p') !=# fnamemodify(bufname(buffer), ':p')
    WriteCopy(buffer, target)
    return
  elseif conflict.on_disk == 0 && !v:cmdbang
    say.Warn(printf("%s's change is not in this buffer   :IdeCompanion merge, or :w! to write over it", conflict.agent))
    return
  endif
  Release(buffer)
  const failure = Try(WriteOver)
  if failure != ''
    Hold(buffer, conflict)
    say.Error(failure)
  endif
enddef

def Guard(buffer: number)
  augroup ide_companion_conflict
    execute printf('autocmd BufWriteCmd <buffer=%d> ++nested OnWrite()', buffer)
  augroup END
enddef

# Protects the file: `:w` in the buffer no longer overwrites the text of the agent.
export def Hold(buffer: number, proposal: dict<any>)
  Release(buffer)
  held[string(buffer)] = {agent: proposal.agent, label: proposal.label, on_disk: 0, window: 0}
  Guard(buffer)
  augroup ide_companion_conflict
    # Another buffer may be the current one then.
    execute printf('autocmd FileChangedShell <buffer=%d> v:fcs_choice = getbufvar(%d, "&modified") ? "" : "reload"',
      buffer, buffer)
    # `:e!` loads the text of the file.
    execute printf('autocmd BufReadPost,BufUnload <buffer=%d> Release(%d)', buffer, buffer)
  augroup END
enddef

# The agent has written; `params` are those of `companion/fileWritten`.
export def Written(buffer: number, params: dict<any>)
  if !has_key(held, string(buffer))
    Hold(buffer, params)
  endif
  say.Warn(printf('%s has written %s, your buffer has unsaved changes   :IdeCompanion merge', params.agent, params.label))
enddef

def OnComparisonClosed(key: string)
  if has_key(held, key)
    if windows.IsOpen(held[key].window)
      EndDiff(held[key].window)
    endif
    extend(held[key], {on_disk: 0, window: 0})
  endif
enddef

# Shows the text of the file next to the buffer, as a diff.
def Compare(buffer: number, conflict: dict<any>)
  const content: string = text.Read(fnamemodify(bufname(buffer), ':p'))
  const [theirs: number, mine: number] = comparison.Open({
    label: conflict.label,
    left: {whose: 'On disk', content: content, filetype: getbufvar(buffer, '&filetype'),
      words: ['On disk, with the accepted change']},
    right: {buffer: buffer, words: [':w saves this side', 'do takes a change of the other']},
    keys: {},
  })
  conflict.on_disk = winbufnr(theirs)
  conflict.window = mine
  execute printf('autocmd BufWipeout <buffer=%d> ++once OnComparisonClosed("%d")', conflict.on_disk, buffer)
enddef

# Compares a buffer with its file: the current buffer, or else any other with a conflict.
export def Merge()
  const key = has_key(held, string(bufnr())) ? string(bufnr()) : get(keys(held), 0, '')
  if key == ''
    say.Info('No buffer has unsaved changes over which an accepted proposal was written.')
  elseif windows.IsOpen(held[key].window)
    win_gotoid(held[key].window)
  else
    Compare(str2nr(key), held[key])
  endif
enddef

defcompile
