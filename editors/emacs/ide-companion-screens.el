;;; ide-companion-screens.el --- What terminals of Emacs show  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Reads terminals of Term, and types into them: comments and references for
;; the prompt of an agent that runs there.  The program looks at the prompt
;; first; nothing presses RET.

;;; Code:

(require 'seq)

(defvar term-home-marker)

(defun ide-companion--find-terminal (pids)
  "The process of a terminal of Term that is one of PIDS, or nil."
  (seq-find (lambda (process)
              (and (seq-contains-p pids (process-id process) #'eql)
                   (buffer-live-p (process-buffer process))
                   (with-current-buffer (process-buffer process)
                     (and (derived-mode-p 'term-mode) (markerp term-home-marker)))))
            (process-list)))

(defun ide-companion--read-terminal (params)
  "`companion/readTerminal' with PARAMS: a terminal's text."
  (let ((process (ide-companion--find-terminal (plist-get params :pids))))
    (if process
        (list :pid (process-id process)
              :screen (with-current-buffer (process-buffer process)
                        (save-restriction
                          (widen)
                          (buffer-substring-no-properties term-home-marker (point-max)))))
      (make-hash-table))))

(defun ide-companion--type-in-terminal (params)
  "`companion/typeInTerminal' with PARAMS: paste a text, without RET."
  (let ((process (ide-companion--find-terminal (list (plist-get params :pid)))))
    (unless process (error "No terminal has process %d" (plist-get params :pid)))
    (process-send-string process (concat "\e[200~" (plist-get params :text) "\e[201~"))
    nil))

(provide 'ide-companion-screens)
;;; ide-companion-screens.el ends here
