;;; ide-companion-edits.el --- Recovered edits  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Recovered edits are text that the user typed in a proposal and that its
;; file does not hold.  The program stores it until the user discards it or
;; the file holds it.

;;; Code:

(require 'ide-companion-log)
(require 'ide-companion-evil)
(require 'ide-companion-rpc)
(require 'ide-companion-stored)
(require 'ide-companion-text)

(defun ide-companion--recovered (params)
  "`companion/editsRecovered' with PARAMS: show how to reach them."
  (ide-companion--say "Your edits of %s are not in the file: %s  M-x ide-companion-edits lists them"
                      (plist-get params :label) (plist-get params :reason)))

(defun ide-companion--announce-edits ()
  "Show a message about recovered edits of the open folders."
  (ide-companion--announce-stored
   :companion/edits :edits
   (lambda (own)
     (format "Your edits of %s are not in %s: M-x ide-companion-edits lists them"
             (if (cdr own) (format "%d proposals" (length own)) (plist-get (car own) :label))
             (if (cdr own) "their files" "the file")))))

(defvar ide-companion-edits-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'ide-companion-edits-diff)
    (define-key map "e" #'ide-companion-edits-ediff)
    (define-key map "r" #'ide-companion-edits-restore)
    (define-key map "D" #'ide-companion-edits-discard)
    map)
  "Keys in the list of recovered edits.")

(define-derived-mode ide-companion-edits-mode ide-companion-stored-mode "Recovered Edits"
  "Edits of proposals that are in no file."
  (setq-local revert-buffer-function (lambda (&rest _) (ide-companion-edits)))
  (ide-companion--evil-list-keys ide-companion-edits-mode-map))

;;;###autoload
(defun ide-companion-edits ()
  "List recovered edits: text that you typed in proposals and that is in no file.
In the list you compare them with the file, restore or discard them."
  (interactive)
  (ide-companion--list-stored "*ide-companion edits*" 'ide-companion-edits-mode
                              (ide-companion--fetch-stored :companion/edits :edits)
                              "RET compares with the file, e by Ediff, r restores, D discards"
                              "There are no recovered edits"))

(defun ide-companion--edits-here ()
  "The recovered edits at point."
  (ide-companion--stored-here "recovered edits"))

(defun ide-companion--edits-buffer (edits)
  "A buffer with the text of EDITS."
  (let ((path (ide-companion--local-name (plist-get edits :filePath)))
        (found (ide-companion--fetch :companion/readEdits (list :id (plist-get edits :id)))))
    (ide-companion--text-buffer (format "*edits: %s*" (plist-get edits :label))
                                path (plist-get found :content))))

(defun ide-companion--edits-file (edits)
  "The buffer of the file that EDITS are for."
  (ide-companion--visit (ide-companion--local-name (plist-get edits :filePath))))

(defun ide-companion-edits-diff ()
  "Show how the edits at point differ from their file."
  (interactive)
  (let ((edits (ide-companion--edits-here)))
    (diff-buffers (ide-companion--edits-file edits) (ide-companion--edits-buffer edits))))

(defun ide-companion-edits-ediff ()
  "Compare the edits at point with their file by Ediff."
  (interactive)
  (let ((edits (ide-companion--edits-here)))
    (ediff-buffers (ide-companion--edits-file edits) (ide-companion--edits-buffer edits))))

(defun ide-companion-edits-restore ()
  "Put the edits at point into the buffer of their file, which you then save.
They leave the list when the file holds them."
  (interactive)
  (let* ((edits (ide-companion--edits-here))
         (file (ide-companion--edits-file edits)))
    (when (or (not (buffer-modified-p file))
              (y-or-n-p (format "%s has unsaved edits; replace them? " (buffer-name file))))
      (ide-companion--replace-text file (ide-companion--edits-buffer edits))
      (ide-companion--say "Restored: save %s, or undo to go back" (buffer-name file)))))

(defun ide-companion-edits-discard ()
  "Forget the edits at point for good."
  (interactive)
  (when (ide-companion--discard-stored (ide-companion--edits-here) "your edits of"
                                       :companion/discardEdits)
    (ide-companion-edits)))

(provide 'ide-companion-edits)
;;; ide-companion-edits.el ends here
