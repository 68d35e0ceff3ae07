vim9script
# A proposal in one window: its lines can be edited, and the lines that it replaces are shown between them.

import autoload 'ide_companion/diff.vim'
import autoload 'ide_companion/draft.vim'
import autoload 'ide_companion/removed.vim'

const added_sign = 'ide_companion_added'

# Draws the hunks in the buffer of a proposal.
export def Draw(proposal: dict<any>)
  const buffer: number = proposal.proposed
  if empty(win_findbuf(buffer))
    return
  endif
  removed.Clear(buffer)
  sign_unplace(added_sign, {buffer: buffer})
  for hunk in proposal.hunks
    for line in range(hunk.line, hunk.line + hunk.added - 1)
      sign_place(0, added_sign, added_sign, buffer, {lnum: line})
    endfor
    removed.Draw(buffer, Removed(proposal, hunk), hunk.line)
  endfor
enddef

def Removed(proposal: dict<any>, hunk: dict<number>): list<string>
  return hunk.removed == 0 ? [] : getbufline(proposal.base, hunk.from, hunk.from + hunk.removed - 1)
enddef

# Acts on the proposal of this buffer when its hunks are those of its text.
def WhenCompared(Act: func(dict<any>))
  const buffer = bufnr()
  const proposal = diff.Find((one) => one.proposed == buffer)
  if !empty(proposal)
    draft.WhenCompared(proposal, () => {
      if bufnr() == buffer
        Act(proposal)
      endif
    })
  endif
enddef

# Reverts the hunk at the cursor.
export def Revert()
  WhenCompared(RevertHere)
enddef

def RevertHere(proposal: dict<any>)
  const [cursor, last, is_void] = [line('.'), line('$'), wordcount().bytes == 0]
  for hunk in proposal.hunks
    const [start, end] = [hunk.line, hunk.line + hunk.added - 1]
    if hunk.added > 0 ? cursor >= start && cursor <= end : cursor == start || cursor == start - 1
      append(start - 1, Removed(proposal, hunk))
      if hunk.added > 0 || is_void # which has a line all the same
        silent deletebufline('', start + hunk.removed, max([start, end]) + hunk.removed)
      endif
      if end >= last
        &endofline = getbufvar(proposal.base, '&endofline')
      endif
      cursor(min([start, line('$')]), 1)
      return
    endif
  endfor
enddef

# Goes to the next or the previous change.
export def Jump(forwards: bool)
  WhenCompared((proposal) => {
    const cursor = line('.')
    var lines = proposal.hunks->mapnew((_, hunk) => min([hunk.line, line('$')]))
    filter(lines, (_, line) => forwards ? line > cursor : line < cursor)
    if !empty(lines)
      cursor(lines[forwards ? 0 : -1], 1)
    endif
  })
enddef

# Draws the hunks in the buffer of the proposal; view.vim draws them again after each edit.
export def Attach(proposal: dict<any>)
  const window: number = proposal.view.proposed
  sign_define(added_sign, {linehl: 'DiffAdd'})
  # A sign would be next to the first of the lines above, and not next to its line.
  win_execute(window, 'setlocal signcolumn=no')
  Draw(proposal)
  win_execute(window, [
    'nnoremap <buffer> do <Cmd>call ide_companion#unified#Revert()<CR>',
    'nnoremap <buffer> ]c <Cmd>call ide_companion#unified#Jump(v:true)<CR>',
    'nnoremap <buffer> [c <Cmd>call ide_companion#unified#Jump(v:false)<CR>',
  ])
enddef

defcompile
