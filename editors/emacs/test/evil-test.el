;;; evil-test.el --- Vi keys in proposals and lists -*- lexical-binding: t; -*-

;;; Commentary:

;; What reaches Evil and what does not.  A scenario runs Evil as it is.

;;; Code:

(require 'fixture)
(require 'seq)

(defvar ide-companion-test-evil-calls nil "What has reached Evil.")

(defmacro ide-companion-test-with-evil (&rest body)
  "Run BODY with stand-ins for functions of Evil."
  (declare (indent 0))
  `(let ((ide-companion-test-evil-calls nil))
     (provide 'evil)
     (fset 'evil-define-key* (lambda (&rest arguments) (push arguments ide-companion-test-evil-calls)))
     (dolist (command ide-companion--evil-writes)
       (fset command (lambda (&rest arguments) (push (cons command arguments) ide-companion-test-evil-calls))))
     (unwind-protect (progn ,@body)
       (setq features (delq 'evil features))
       (mapc #'fmakunbound (cons 'evil-define-key* ide-companion--evil-writes)))))

(ide-companion-deftest "Evil accepts a proposal when it is to write it, and writes lines and copies itself"
  (ide-companion-test-with-evil
    (ide-companion-test-propose)
    (with-current-buffer (ide-companion--proposal-buffer (car ide-companion--proposals))
      (evil-write 1 9 'line nil)
      (evil-write nil nil nil "other")
      (should-not (ide-companion-test-sent :companion/diffAccepted))
      (should (equal ide-companion-test-evil-calls
                     '((evil-write nil nil nil "other") (evil-write 1 9 line nil))))
      (evil-save-modified-and-close nil)
      (should (ide-companion-test-sent :companion/diffAccepted)))
    (with-temp-buffer
      (evil-write nil nil nil nil)
      (should (equal (car ide-companion-test-evil-calls) '(evil-write nil nil nil nil))))))

(ide-companion-deftest "in a list, Evil's normal state has its keys, but k goes up"
  (ide-companion-test-with-evil
    (with-temp-buffer (ide-companion-list-mode))
    (let ((keys (mapcar (lambda (call) (cons (key-description (nth 2 call)) (nth 3 call)))
                        ide-companion-test-evil-calls)))
      (should (equal (seq-map (lambda (key) (cdr (assoc key keys))) '("x" "a" "RET" "q" "k" "n"))
                     (append (mapcar (lambda (key) (lookup-key ide-companion-list-mode-map (kbd key))) '("k" "a" "RET"))
                             '(quit-window nil nil)))))))

(provide 'evil-test)
;;; evil-test.el ends here
